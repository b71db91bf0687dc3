//! Every case file, under each of its settings.

use imagestream_import_mode_host::cases::{self, Case};
use imagestream_import_mode_host::{CoreDoor, Door};

use crate::opa_sdk::OpaSdk;
use crate::support::{ACCEPTS_EVERYTHING, COMPONENT_POLICY, OPA_POLICY, POLICY, project};

/// Every difference of every case, and the number of decisions that were compared.
fn run(door: &dyn Door) -> (Vec<String>, usize) {
    let mut differences = Vec::new();
    let mut decisions = 0;
    for path in cases::files(&project("tests/cases/admission")).unwrap() {
        let name = path.file_stem().unwrap().to_string_lossy();
        let case = Case::read(&path).unwrap_or_else(|error| panic!("{name} {error}"));
        assert!(
            case.unknown.is_empty(),
            "{name} has unknown keys: {:?}",
            case.unknown.keys()
        );
        assert!(!case.expect.is_empty(), "{name} expects nothing");
        for expected in &case.expect {
            decisions += 1;
            for difference in cases::check(&case, expected, door) {
                differences.push(format!(
                    "{name}, settings {}: {difference}",
                    expected.settings
                ));
            }
        }
    }
    (differences, decisions)
}

#[track_caller]
fn passes(door: &dyn Door) {
    let (differences, _) = run(door);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_core_decides_every_case() {
    passes(&CoreDoor);
}

#[test]
fn the_module_decides_every_case() {
    passes(&*POLICY);
}

#[test]
fn the_component_decides_every_case() {
    passes(&*COMPONENT_POLICY);
}

#[test]
fn the_opa_policy_decides_every_case() {
    passes(&*OPA_POLICY);
}

#[test]
fn the_opa_policy_decides_every_case_in_the_rust_sdk() {
    passes(&OpaSdk::new());
}

/// The check itself can fail: whatever sets a mode, warns, reads or rejects is missed.
#[test]
fn a_module_that_accepts_everything_fails_every_case_that_expects_something() {
    let (differences, decisions) = run(&*ACCEPTS_EVERYTHING);
    let missed = |what: &str| {
        let marker = format!(": {what}: expected");
        differences.iter().filter(|d| d.contains(&marker)).count()
    };
    for what in ["modes", "allowed", "warnings", "host calls"] {
        assert!(missed(what) > 0, "no case expects anything of {what}");
    }
    assert!(missed("modes") < decisions, "some cases expect no change");
}
