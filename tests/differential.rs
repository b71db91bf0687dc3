//! The core against an independent implementation of the same rules, on generated requests.
//!
//! `make test` compares 5,000 cases, `make test-long` 200,000. The core reads each case as odd text:
//! white space, escaped keys, repeated keys whose last one is right.

#[cfg(test)]
mod reference;

#[cfg(test)]
mod differential {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};

    use imagestream_import_mode::{
        ClusterReader, Decision, Outcome, ReadError, ResourceRef, evaluate,
    };
    use serde_json::{Value, json};

    use crate::reference::cluster::{Reply, Script, scripted};
    use crate::reference::generate::{Rng, generate};
    use crate::reference::{apply, decide_with_script};

    struct Scripted<'a> {
        script: &'a Script,
        calls: RefCell<Vec<String>>,
    }

    impl ClusterReader for Scripted<'_> {
        fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
            let key = resource.to_string();
            let reply = scripted(self.script, &key);
            self.calls.borrow_mut().push(key);
            match reply {
                Reply::Json(value) => Ok(value.to_string()),
                Reply::Error(text) => Err(ReadError::from_host_text(&text)),
            }
        }
    }

    /// Everything that the reference says of a case, in the core's words.
    #[derive(Debug, PartialEq)]
    struct Answer {
        allowed: bool,
        modes: BTreeMap<String, String>,
        warnings: Vec<&'static str>,
        host_calls: Vec<String>,
        import_mode: Option<String>,
        import_mode_source: BTreeSet<String>,
        mutated_object: Option<Value>,
    }

    fn answer(decision: &Decision<'_>, host_calls: Vec<String>) -> Answer {
        let annotation = |key| {
            let found = decision
                .audit_annotations
                .iter()
                .find(|(name, _)| *name == key);
            found.map(|(_, value)| value.clone())
        };
        let sources = annotation("import-mode-source").unwrap_or_default();
        Answer {
            allowed: decision.allowed(),
            modes: decision
                .edits()
                .iter()
                .map(|edit| (edit.pointer(), edit.mode.to_string()))
                .collect(),
            warnings: decision
                .warnings
                .iter()
                .map(|warning| warning.kind.as_str())
                .collect(),
            host_calls,
            import_mode: annotation("import-mode"),
            import_mode_source: sources
                .split(',')
                .filter(|source| !source.is_empty())
                .map(String::from)
                .collect(),
            mutated_object: match &decision.outcome {
                Outcome::Mutate(mutation) => {
                    Some(serde_json::from_str(&mutation.mutated_object()).unwrap())
                }
                Outcome::Accept | Outcome::Reject(_) => None,
            },
        }
    }

    /// `value` as text that means the same and looks odd.
    fn odd_text(value: &Value, rng: &mut Rng) -> String {
        let space = [" ", "", "", "\n\t"][rng.below(4)];
        match value {
            Value::Object(members) => {
                let mut texts = Vec::new();
                for (key, value) in members {
                    if rng.chance(4) {
                        let decoy = ["null", "{}", "[[\"}\"]]", "\"\\\"\"", "-1e9"][rng.below(5)];
                        texts.push(format!("{}:{decoy}", odd_string(key, rng)));
                    }
                    let value = odd_text(value, rng);
                    texts.push(format!("{}{space}:{space}{value}", odd_string(key, rng)));
                }
                format!("{{{space}{}{space}}}", texts.join(","))
            }
            Value::Array(elements) => {
                let texts: Vec<_> = elements.iter().map(|value| odd_text(value, rng)).collect();
                format!("[{space}{}]", texts.join(&format!("{space},")))
            }
            Value::String(text) => odd_string(text, rng),
            other => other.to_string(),
        }
    }

    /// `text` as a JSON string, now and then with a character escaped that needs none.
    fn odd_string(text: &str, rng: &mut Rng) -> String {
        let plain = Value::from(text).to_string();
        let ascii = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if text.is_empty() || !ascii || !rng.chance(5) {
            return plain;
        }
        let (before, after) = text.split_at(rng.below(text.len()));
        let (escaped, after) = after.split_at(1);
        let code = escaped.bytes().next().unwrap_or_default();
        format!("\"{before}\\u{code:04x}{after}\"")
    }

    #[track_caller]
    fn compare(seeds: std::ops::Range<u64>) {
        let mut changed = 0;
        for seed in seeds.clone() {
            let case = generate(seed);
            let reference = decide_with_script(&case.request, &case.settings, &case.cluster);
            let applied = apply(&case.request, &reference.modes);
            let expected = Answer {
                allowed: reference.allowed,
                mutated_object: (!reference.modes.is_empty()).then(|| applied["object"].clone()),
                modes: reference.modes,
                warnings: reference.warnings,
                host_calls: reference.host_calls,
                import_mode: reference.import_mode,
                import_mode_source: reference.import_mode_source,
            };
            changed += usize::from(!expected.modes.is_empty());

            let payload = json!({"request": case.request, "settings": case.settings});
            let payload = odd_text(&payload, &mut Rng::new(seed ^ 0x0dd));
            let cluster = Scripted {
                script: &case.cluster,
                calls: RefCell::default(),
            };
            let decision = evaluate(payload.as_bytes(), &cluster);
            let got = answer(&decision, cluster.calls.take());
            assert_eq!(
                got, expected,
                "seed {seed}: {payload}\ncluster: {:?}",
                case.cluster
            );
        }
        println!(
            "{changed} of {} cases change the object",
            seeds.end - seeds.start
        );
        assert!(changed > 0);
    }

    #[test]
    fn core_and_reference_agree() {
        compare(0..5_000);
    }

    #[test]
    #[ignore = "long: `make test-long` runs it"]
    fn core_and_reference_agree_on_many() {
        compare(0..200_000);
    }
}
