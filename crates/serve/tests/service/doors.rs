//! The command line and the documentation of it.

use clap::{CommandFactory as _, Parser};
use imagestream_import_mode_serve::ServeArgs;

#[derive(Parser)]
#[command(name = "serve")]
struct Command {
    #[command(flatten)]
    _args: ServeArgs,
}

#[test]
fn every_flag_is_explained_in_the_help_and_in_the_documentation() {
    let mut command = Command::command();
    command.clone().debug_assert();
    let help = command.render_long_help().to_string();
    let documented = include_str!("../../../../docs/serve.md");
    let mut flags = 0;
    for argument in Command::command().get_arguments() {
        let Some(long) = argument.get_long() else {
            continue;
        };
        if long == "help" {
            continue;
        }
        flags += 1;
        assert!(argument.get_help().is_some(), "--{long} has no help");
        assert!(help.contains(&format!("--{long}")), "--{long}");
        assert!(
            documented.contains(&format!("`--{long}`")),
            "--{long} is not in docs/serve.md"
        );
        let variable = argument
            .get_env()
            .map(|name| name.to_str().unwrap().to_owned());
        let expected = format!("LAYERS_{}", long.replace('-', "_").to_uppercase());
        // The kubeconfig has its own, which every client of Kubernetes knows.
        let expected = if long == "kubeconfig" {
            None
        } else {
            Some(expected)
        };
        assert_eq!(variable, expected, "--{long}");
        if let Some(variable) = variable {
            assert!(
                documented.contains(&format!("`{variable}`")),
                "{variable} is not in docs/serve.md"
            );
        }
    }
    assert_eq!(flags, 17);
}

#[test]
fn bad_values_are_refused() {
    for (flag, value) in [
        ("--listen", "8443"),
        ("--listen", "example.com:80"),
        ("--authorization", "maybe"),
        ("--page-size", "0"),
        ("--review-cache-seconds", "0"),
        ("--review-cache-seconds", "301"),
        ("--watch-seconds", "4"),
        ("--list-seconds", "0"),
        ("--log-level", "loud"),
        ("--log-format", "xml"),
    ] {
        let error = Command::try_parse_from(["serve", flag, value])
            .err()
            .expect(value);
        assert!(
            error
                .to_string()
                .contains(&format!("invalid value '{value}' for '{flag}")),
            "{error}"
        );
    }
}
