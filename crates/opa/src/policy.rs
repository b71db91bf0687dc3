//! One evaluation: two JSON documents in, one out.

use imagestream_import_mode::json_object::json_at;
use imagestream_import_mode::{AdmissionRequest, JsonObject, Settings, evaluate_parts};

use crate::data::{DataCluster, KUBERNETES};
use crate::response::response;

/// The result set of `policy/main` for `input` under `data`, both as received.
pub(crate) fn evaluate(data: &[u8], input: &[u8]) -> String {
    let request = AdmissionRequest::parse_review(input);
    let uid = match &request {
        Ok(request) => request.uid().into_owned(),
        Err(_) => uid(input),
    };
    let settings = Settings::parse_within(data, &[KUBERNETES]);
    // Only settings that could be read lead to a read of the cluster.
    let cluster = DataCluster {
        data: std::str::from_utf8(data).unwrap_or_default(),
    };
    let decision = evaluate_parts(request, settings, &cluster);
    let result = JsonObject::default().object("response", response(&uid, &decision));
    let member = JsonObject::default().object("result", result);
    format!("[{}]", member.into_text())
}

/// `request.uid` of an input whose request cannot be understood: the API server wants it back.
fn uid(input: &[u8]) -> String {
    std::str::from_utf8(input)
        .ok()
        .and_then(|input| json_at(input, &["request", "uid"]))
        .and_then(|uid| serde_json::from_str(uid).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[track_caller]
    fn answers(data: &str, input: &str, response: &str) {
        let result = evaluate(data.as_bytes(), input.as_bytes());
        assert_eq!(
            result,
            format!(r#"[{{"result":{{"response":{response}}}}}]"#)
        );
    }

    const TAG: &str = r#"{"request": {"uid": "u", "operation": "CREATE",
        "kind": {"group": "image.openshift.io", "version": "v1", "kind": "ImageTag"},
        "name": "s:a", "object": {"spec": {"name": "a"}}}}"#;

    #[test]
    fn a_change_is_a_patch() {
        // [{"op":"add","path":"/spec/importPolicy","value":{"importMode":"PreserveOriginal"}}]
        answers(
            r#"{"kubernetes": {"images": {}, "clusterversions": {"version":
                {"status": {"desired": {"architecture": "Multi"}}}}}}"#,
            TAG,
            r#"{"uid":"u","allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvaW1wb3J0UG9saWN5IiwidmFsdWUiOnsiaW1wb3J0TW9kZSI6IlByZXNlcnZlT3JpZ2luYWwifX1d","auditAnnotations":{"import-mode":"PreserveOriginal","import-mode-source":"cluster-version","import-mode-tags":"tag a"}}"#,
        );
    }

    #[test]
    fn without_the_cluster_the_user_is_told() {
        answers(
            "{}",
            TAG,
            r#"{"uid":"u","allowed":true,"warnings":["payload-unknown: tag a: left as sent, cluster mode unknown; set payloadArchitecture"]}"#,
        );
    }

    #[test]
    fn settings_with_faults_change_nothing_and_warn() {
        for data in [r#"{"overwrites": "Always"}"#, "[1]", "", "{"] {
            answers(
                data,
                TAG,
                r#"{"uid":"u","allowed":true,"warnings":["settings-invalid: nothing was changed; correct the policy's settings, the server's log lists the faults"]}"#,
            );
        }
    }

    #[test]
    fn bad_input_is_a_rejection_with_a_status() {
        let rejected = |input: &str, uid: &str, why: &str| {
            answers(
                "{}",
                input,
                &format!(
                    r#"{{"uid":"{uid}","allowed":false,"status":{{"message":"cannot understand the admission request: {why}","code":400}}}}"#
                ),
            );
        };
        rejected("", "", "the payload is not JSON at line 1, column 1");
        rejected("{}", "", "`request` must be an object");
        rejected("7", "", "`request` must be an object");
        rejected(
            r#"{"request": {"uid": "u"}}"#,
            "u",
            "`request.kind` must be an object",
        );
        rejected(
            r#"{"request": {"uid": 7, "kind": {}}}"#,
            "",
            "`request.operation` must be a string",
        );
        let result = evaluate(b"{}", b"\xff");
        assert!(
            result.contains("the payload is not UTF-8 at byte 0"),
            "{result}"
        );
    }
}
