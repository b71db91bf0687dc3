//! `settings`: the module's own check, and the schema.

use insta::assert_snapshot;

use crate::support::{program, run_on, transcript};

#[test]
fn valid_settings_are_said_to_be_valid() {
    for settings in ["{}", "overwrite: Always\nexemptUsers: [alice]\n", "null"] {
        assert_eq!(
            run_on(settings, &["settings", "check", "-"]),
            "exit status 0\n--- stdout\nthe settings are valid\n",
            "{settings}"
        );
    }
}

#[test]
fn every_fault_is_listed() {
    let settings =
        "overwrite: always\npayloadArchitecure: Multi\nclusterContext: false\nexemptUsers: alice\n";
    assert_snapshot!(run_on(settings, &["settings", "check", "-"]));
}

#[test]
fn the_settings_of_a_policy_resource_are_checked() {
    let policy = "apiVersion: policies.kubewarden.io/v1\nkind: ClusterAdmissionPolicy\nspec:\n  settings:\n    action: Reports\n";
    assert_snapshot!(run_on(policy, &["settings", "check", "-"]));
}

#[test]
fn settings_are_one_document() {
    assert_eq!(
        run_on("{}\n---\na: b\n", &["settings", "check", "-"]),
        "exit status 2\n--- stderr\nerror: standard input:3: a second document; settings are one\n"
    );
}

#[test]
fn the_schema_is_printed_as_it_is() {
    let output = program(&["settings", "schema"]).output().unwrap();
    let schema = include_str!("../../src/settings.schema.json");
    assert_eq!(
        transcript(&output),
        format!("exit status 0\n--- stdout\n{schema}")
    );
}
