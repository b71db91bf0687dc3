//! The cases, and the reference that must agree with every one of them.

#[cfg(test)]
mod reference;

#[cfg(test)]
mod cases {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use crate::reference::cluster::Script;
    use crate::reference::{apply, decide_with_script};

    /// How many files there are: a lost one must not go unnoticed.
    const CASES: usize = 357;

    /// What the reference gets wrong in one case.
    fn faults(case: &Value) -> Vec<String> {
        let request = &case["request"];
        let script: Script = serde_json::from_value(case["cluster"].clone()).expect("a map");
        let mut faults = Vec::new();
        for expect in case["expect"].as_array().expect("a list") {
            let settings = &expect["settings"];
            let outcome = decide_with_script(request, settings, &script);
            let mut compare = |what: &str, expected: &Value, got: Value| {
                if *expected != got {
                    faults.push(format!(
                        "{settings}: {what}: expected {expected}, got {got}"
                    ));
                }
            };
            compare("allowed", &expect["allowed"], outcome.allowed.into());
            compare(
                "modes",
                &expect["modes"],
                serde_json::to_value(&outcome.modes).expect("a map"),
            );
            compare(
                "warnings",
                &expect["warnings"],
                outcome.warnings.clone().into(),
            );
            compare(
                "hostCalls",
                &expect["hostCalls"],
                outcome.host_calls.clone().into(),
            );

            if outcome.allowed {
                let again = decide_with_script(&apply(request, &outcome.modes), settings, &script);
                compare("allowed again", &true.into(), again.allowed.into());
                compare("modes set again", &0.into(), again.modes.len().into());
            }
        }
        faults
    }

    #[test]
    fn reference_agrees_with_every_case() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/admission");
        let mut files: Vec<_> = fs::read_dir(folder)
            .expect("the cases")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        files.sort();
        assert_eq!(files.len(), CASES, "files in tests/cases/admission");

        let mut all = String::new();
        for file in files {
            let text = fs::read_to_string(&file).expect("a case");
            let case: Value = serde_json::from_str(&text).expect("JSON");
            for fault in faults(&case) {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                all.push_str(&format!("{name}: {fault}\n"));
            }
        }
        assert!(all.is_empty(), "\n{all}");
    }
}
