//! Settings: what is taken, and every fault at once in exact words.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its own input should stop"
)]

use imagestream_import_mode::Settings;
use imagestream_import_mode::import_mode::ImportMode;
use imagestream_import_mode::settings::{
    Action, ClusterContext, OnUnknownPayload, Overwrite, PayloadArchitecture,
};

#[track_caller]
fn accepts(text: &str, expected: &Settings) {
    assert_eq!(Settings::parse(text.as_bytes()).as_ref(), Ok(expected));
}

#[track_caller]
fn rejects(text: impl AsRef<[u8]>, message: &str) {
    let error = Settings::parse(text.as_ref()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn absent_null_and_empty_values_are_the_defaults() {
    let defaults = Settings::default();
    assert_eq!(defaults.overwrite, Overwrite::UnlessExplicit);
    assert_eq!(defaults.action, Action::Mutate);
    assert_eq!(defaults.on_unknown_payload, OnUnknownPayload::Accept);
    assert_eq!(defaults.cluster_context, ClusterContext::Allowed);
    accepts("{}", &defaults);
    accepts("null", &defaults);
    accepts(
        r#"{"payloadArchitecture":null,"imageStreamImportMode":"","overwrite":"","action":null,
            "onUnknownPayload":"","clusterContext":"","exemptUsers":null,"exemptNamespaces":""}"#,
        &defaults,
    );
}

#[test]
fn every_key_is_read() {
    accepts(
        r#"{"payloadArchitecture":"mULTI","imageStreamImportMode":"Legacy","overwrite":"Always",
            "action":"Report","onUnknownPayload":"Reject","clusterContext":false,
            "exemptUsers":["a","b"],"exemptNamespaces":["n"]}"#,
        &Settings {
            payload_architecture: Some(PayloadArchitecture::Multi),
            image_stream_import_mode: Some(ImportMode::Legacy),
            overwrite: Overwrite::Always,
            action: Action::Report,
            on_unknown_payload: OnUnknownPayload::Reject,
            cluster_context: ClusterContext::Forbidden,
            exempt_users: vec!["a".into(), "b".into()],
            exempt_namespaces: vec!["n".into()],
        },
    );
}

#[test]
fn the_last_of_repeated_keys_counts() {
    accepts(
        r#"{"action":"Nonsense","\u0061ction":"Report"}"#,
        &Settings {
            action: Action::Report,
            ..Settings::default()
        },
    );
}

#[test]
fn the_override_beats_the_architecture() {
    let text = br#"{"imageStreamImportMode":"Legacy","payloadArchitecture":"Multi"}"#;
    let settings = Settings::parse(text).unwrap();
    assert_eq!(settings.stated_mode(), Some(ImportMode::Legacy));
    for (architecture, mode) in [
        ("Multi", ImportMode::PreserveOriginal),
        ("amd64", ImportMode::Legacy),
        ("arm64", ImportMode::Legacy),
        ("ppc64le", ImportMode::Legacy),
        ("s390x", ImportMode::Legacy),
    ] {
        let text = format!(r#"{{"payloadArchitecture":"{architecture}"}}"#);
        let settings = Settings::parse(text.as_bytes()).unwrap();
        assert_eq!(settings.stated_mode(), Some(mode), "{architecture}");
    }
}

#[test]
fn all_faults_come_at_once() {
    rejects(
        r#"{"overWrite":"Always","payloadArchitecture":"AMD64","action":1,"exemptUsers":"bob",
            "exemptNamespaces":["a",2],"clusterContext":"false","onUnknownPayload":"reject",
            "zebra":{"a":[]}}"#,
        "invalid settings: there is no setting `overWrite` (value `\"Always\"`), did you mean \
         `overwrite`?; there is no setting `zebra` (value `{\"a\":[]}`), the keys are \
         `payloadArchitecture`, `imageStreamImportMode`, `overwrite`, `action`, \
         `onUnknownPayload`, `clusterContext`, `exemptUsers` or `exemptNamespaces`; \
         `payloadArchitecture` is the text `AMD64`, but must be `Multi`, `amd64`, `arm64`, \
         `ppc64le` or `s390x` (did you mean `amd64`?); `action` is `1`, but must be `Mutate` or \
         `Report`; `onUnknownPayload` is the text `reject`, but must be `Accept` or `Reject` (did \
         you mean `Reject`?); `clusterContext` is the text `false`, but must be `true` or `false` \
         (did you mean `false`?); `exemptUsers` is `\"bob\"`, but must be a list of texts; \
         `exemptNamespaces` is `[\"a\",2]`, but must be a list of texts",
    );
}

#[test]
fn misspellings_get_the_nearest_name() {
    for (text, message) in [
        (
            r#"{"importMode":"Legacy"}"#,
            "invalid settings: there is no setting `importMode` (value `\"Legacy\"`), the keys are \
             `payloadArchitecture`, `imageStreamImportMode`, `overwrite`, `action`, \
             `onUnknownPayload`, `clusterContext`, `exemptUsers` or `exemptNamespaces`",
        ),
        (
            r#"{"imagestreamImportmode":"Legacy"}"#,
            "invalid settings: there is no setting `imagestreamImportmode` (value `\"Legacy\"`), \
             did you mean `imageStreamImportMode`?",
        ),
        (
            r#"{"imageStreamImportMode":"PreserveOrignal"}"#,
            "invalid settings: `imageStreamImportMode` is the text `PreserveOrignal`, but must be \
             `Legacy` or `PreserveOriginal` (did you mean `PreserveOriginal`?)",
        ),
        (
            r#"{"overwrite":"Sometimes"}"#,
            "invalid settings: `overwrite` is the text `Sometimes`, but must be `UnlessExplicit`, \
             `IfUnset` or `Always`",
        ),
    ] {
        rejects(text, message);
    }
}

#[test]
fn without_cluster_context_a_mode_must_be_set() {
    let message = "invalid settings: `clusterContext` is `false`, so `payloadArchitecture` or \
                   `imageStreamImportMode` must be set";
    rejects(r#"{"clusterContext":false}"#, message);
    rejects(
        r#"{"clusterContext":false,"payloadArchitecture":""}"#,
        message,
    );
}

#[test]
fn settings_that_are_no_object_are_named() {
    rejects(
        "[]",
        "invalid settings: the settings are `[]`, not an object",
    );
    rejects("7", "invalid settings: the settings are `7`, not an object");
    for text in [&b""[..], b"{", b"{]", b"\xff", b"{} {}", b"{'a':1}"] {
        rejects(text, "invalid settings: the settings are not valid JSON");
    }
}

#[test]
fn faults_quote_hostile_text_short_and_printable() {
    let long = "y".repeat(500);
    rejects(
        format!(r#"{{"{long}":"\u0007"}}"#),
        &format!(
            "invalid settings: there is no setting `{}…` (value `\"\\u0007\"`), the keys are \
             `payloadArchitecture`, `imageStreamImportMode`, `overwrite`, `action`, \
             `onUnknownPayload`, `clusterContext`, `exemptUsers` or `exemptNamespaces`",
            "y".repeat(59)
        ),
    );
    rejects(
        r#"{"action":"\u0007\u202eR\n"}"#,
        "invalid settings: `action` is the text `\u{fffd}\u{fffd}R\u{fffd}`, but must be `Mutate` or `Report`",
    );
}
