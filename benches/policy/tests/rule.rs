//! The comparison compares the same thing: guest and rules decide as the policy's cases say.

#[cfg(test)]
mod rule {
    use std::sync::Arc;

    use imagestream_import_mode_bench_policy::contender::{Cel, Contender, Rego};
    use imagestream_import_mode_bench_policy::inputs::inputs;
    use imagestream_import_mode_bench_policy::modules::guest;
    use imagestream_import_mode_host::cases::Case;
    use imagestream_import_mode_host::{Door, NoCluster, WapcPolicy};
    use imagestream_import_mode_report::project;
    use serde_json::{Value, json};

    /// The cases of tests/cases/admission in which the simple rule is the whole one: nobody has
    /// chosen a mode by hand, and no import meets a tag that exists.
    const CASES: [&str; 38] = [
        "is-create-apply-mode-absent",
        "is-create-cvo-openshift-namespace",
        "is-create-docker-image-repository",
        "is-create-dry-run",
        "is-create-explicit-preserve-original",
        "is-create-native-default-preserve",
        "is-create-no-tags-registry-push",
        "is-create-oc-create",
        "is-create-raw-no-spec",
        "is-create-raw-tags-null",
        "is-create-raw-unset-variants",
        "is-create-samples-operator",
        "is-delete",
        "is-update-existing-from-changed",
        "is-update-merge-patch-label",
        "is-update-new-explicit-and-empty",
        "is-update-noop",
        "is-update-put-new-tag",
        "is-update-user-sets-preserve",
        "isi-create-oc-import-image-new",
        "isi-create-oc-import-image-new-tag",
        "isi-create-oc-import-image-preserve",
        "isi-create-raw-unset-variants",
        "isi-create-repository",
        "isi-create-repository-and-images",
        "istag-create-oc-create",
        "istag-create-tag-null",
        "istag-update-annotate",
        "istag-update-oc-tag-new-stream",
        "istag-update-oc-tag-new-tag",
        "itag-create",
        "itag-update-existing",
        "itag-update-new-tag",
        "real-imagestream-create-oc-create-f-mode-mixed",
        "real-imagestream-update-oc-apply-over-created",
        "real-imagestreamimport-create-oc-import-image-new-stream",
        "real-imagestreamtag-update-oc-tag-new-tag",
        "rule-import-update-is-out-of-scope",
    ];

    fn typical() -> WapcPolicy {
        let path = project("target/benches/wasm32-wasip1/release/typical.wasm");
        WapcPolicy::from_file(&path).expect("`make bench-guests` builds it")
    }

    fn decided(policy: &WapcPolicy, case: &Case, settings: &Value) -> Value {
        let request = case.request().unwrap();
        let evaluation = policy
            .evaluate(&request, settings, Arc::new(NoCluster))
            .unwrap();
        assert!(evaluation.response.allowed, "{:?}", evaluation.response);
        assert_eq!(evaluation.calls.log.len(), 1, "one line in the log");
        let object = request.object().cloned().unwrap_or_default();
        evaluation.response.apply(&object).unwrap()
    }

    #[test]
    fn the_typical_policy_gives_the_results_of_the_listed_cases() {
        let (typical, multi) = (typical(), json!({"payloadArchitecture": "Multi"}));
        let mut modes = 0;
        for name in CASES {
            let path = project(&format!("tests/cases/admission/{name}.json"));
            let case = Case::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            let before = case
                .request()
                .unwrap()
                .object()
                .cloned()
                .unwrap_or_default();
            let mut after = before.clone();
            let mut expectations = case.expect.iter();
            let expected = expectations
                .find(|expectation| expectation.settings == multi)
                .unwrap_or_else(|| panic!("{name} expects nothing of a Multi cluster"));
            for (pointer, mode) in &expected.modes {
                let slot = pointer.strip_suffix("/importPolicy/importMode").unwrap();
                after.pointer_mut(slot).unwrap()["importPolicy"]["importMode"] =
                    mode.as_str().into();
            }
            modes += expected.modes.len();
            assert_eq!(decided(&typical, &case, &multi), after, "{name}");
            let single = json!({"payloadArchitecture": "amd64"});
            assert_eq!(decided(&typical, &case, &single), before, "{name}");
        }
        assert!(modes > 30, "only {modes} modes are set");
    }

    #[test]
    fn rego_and_cel_decide_every_input_as_the_typical_policy_does() {
        let typical = guest("typical").unwrap().contender;
        let (rego, cel) = (Rego::new().unwrap(), Cel::new().unwrap());
        let rules: [&dyn Contender; 2] = [&rego, &cel];
        for input in inputs().unwrap() {
            let object = |contender: &dyn Contender| {
                let answer = contender.prepare(&input)().unwrap();
                answer.object(&input.request).unwrap()
            };
            let expected = object(typical.as_ref());
            for rule in rules {
                assert_eq!(object(rule), expected, "{}", input.name);
            }
        }
    }

    #[test]
    fn payloads_fit_into_a_request() {
        let sizes = inputs().unwrap().into_iter();
        let sizes: Vec<_> = sizes
            .map(|input| (input.payload.len(), input.name))
            .collect();
        for (size, name) in &sizes {
            assert!(*size <= 2 << 20, "{name}: {size}");
        }
        for full in ["1400 tags", "5000 tags"] {
            let (size, _) = sizes.iter().find(|(_, name)| name == full).unwrap();
            assert!(*size > 2_000_000, "{full}: {size}");
        }
    }
}
