//! What does not depend on the machine does not change unnoticed: fuel, memory, sizes.
//!
//! `make gate-update` writes `benches/expected.json`; a commit that changes a figure says why.

#[cfg(test)]
#[path = "../benches/policy/src/inputs.rs"]
#[allow(dead_code, reason = "the benchmark uses the rest")]
mod inputs;

#[cfg(test)]
#[path = "policy/support.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod support;

#[cfg(test)]
mod gate {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use imagestream_import_mode_host::MeteredPolicy;
    use serde_json::Value;

    use crate::inputs::inputs;
    use crate::support::{COMPONENT, MODULE, OPA, project};

    const FILE: &str = "benches/expected.json";

    /// What a figure may differ by, up or down: a gain is kept only if it is written down.
    const TOLERANCE: f64 = 0.02;

    /// Figures by name, `policy.wasm, 1 tag, fuel`.
    type Figures = BTreeMap<String, u64>;

    fn measured() -> Figures {
        let mut figures = Figures::new();
        let mut add = |name: String, figure: usize| {
            figures.insert(name, figure.try_into().unwrap());
        };
        add("policy.wasm, bytes".to_owned(), MODULE.len());
        add("component, bytes".to_owned(), COMPONENT.len());
        add("opa, bytes".to_owned(), OPA.len());
        let policy = MeteredPolicy::new(&MODULE).unwrap();
        for input in inputs().unwrap() {
            let name = input.name;
            let cluster = Arc::new(input.cluster);
            let call = policy.call("validate", &input.payload, cluster).unwrap();
            call.answer
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            add(
                format!("policy.wasm, {name}, fuel"),
                call.fuel.try_into().unwrap(),
            );
            let memory = call.peak_memory_bytes;
            add(format!("policy.wasm, {name}, peak memory bytes"), memory);
            let pages = call.written_pages;
            add(format!("policy.wasm, {name}, pages written"), pages);
        }
        figures
    }

    /// One line for each figure that is not what it should be.
    fn differences(expected: &Figures, measured: &Figures) -> Vec<String> {
        let names = expected.keys().chain(measured.keys());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names.dedup();
        let difference = |name: &String| match (expected.get(name), measured.get(name)) {
            (Some(expected), Some(measured)) => {
                let change = *measured as f64 / *expected as f64 - 1.0;
                let differs = change.abs() > TOLERANCE;
                let percent = change * 100.0;
                differs
                    .then(|| format!("{name}: {measured}, expected {expected} ({percent:+.1} %)"))
            }
            (None, Some(measured)) => Some(format!("{name}: {measured}, not expected")),
            (_, None) => Some(format!("{name}: not measured")),
        };
        names.into_iter().filter_map(difference).collect()
    }

    #[test]
    fn fuel_memory_and_sizes_are_the_expected_ones() {
        let measured = measured();
        let file = project(FILE);
        if std::env::var("GATE").is_ok_and(|value| value == "overwrite") {
            let text = serde_json::to_string_pretty(&measured).unwrap();
            std::fs::write(file, text + "\n").unwrap();
            return;
        }
        let text = std::fs::read_to_string(file).unwrap();
        let differences = differences(&serde_json::from_str(&text).unwrap(), &measured);
        assert!(
            differences.is_empty(),
            "not as in {FILE}:\n{}\nIf that is meant, `make gate-update` writes the file; say why in the commit.",
            differences.join("\n")
        );
    }

    #[test]
    fn what_leaves_the_tolerance_is_named() {
        let figures = |value: Value| serde_json::from_value(value).unwrap();
        let expected =
            figures(serde_json::json!({"same": 100, "worse": 100, "better": 100, "gone": 1}));
        let measured =
            figures(serde_json::json!({"same": 101, "worse": 103, "better": 97, "new": 1}));
        assert_eq!(
            differences(&expected, &measured),
            [
                "better: 97, expected 100 (-3.0 %)",
                "gone: not measured",
                "new: 1, not expected",
                "worse: 103, expected 100 (+3.0 %)",
            ]
        );
    }
}
