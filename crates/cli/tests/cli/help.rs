//! `--help` of every command, completions and the manual page.

use insta::assert_snapshot;

use crate::support::{program, transcript};

fn out(args: &[&str]) -> String {
    transcript(&program(args).output().unwrap())
}

#[test]
fn every_command_has_help() {
    assert_snapshot!("help", out(&["--help"]));
    for command in [
        "run",
        "explain",
        "layers",
        "footprint",
        "serve",
        "annotate",
        "completions",
        "man",
    ] {
        assert_snapshot!(format!("help_{command}"), out(&[command, "--help"]));
    }
    assert_snapshot!("help_settings", out(&["settings", "--help"]));
    assert_snapshot!("help_settings_check", out(&["settings", "check", "--help"]));
    assert_snapshot!(
        "help_settings_schema",
        out(&["settings", "schema", "--help"])
    );
}

#[test]
fn the_manual_page_has_every_command() {
    let page = out(&["man"]);
    assert!(page.starts_with("exit status 0\n--- stdout\n.ie"), "{page}");
    for command in ["RUN", "EXPLAIN", "SETTINGS", "ANNOTATE", "COMPLETIONS"] {
        assert!(page.contains(&format!(".SH {command}\n")), "{command}");
    }
}

#[test]
fn shells_can_complete() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = out(&["completions", shell]);
        assert!(script.starts_with("exit status 0\n"), "{script}");
        assert!(script.contains("imagestream-import-mode"), "{script}");
        assert!(script.contains("kubeconfig"), "{script}");
    }
}
