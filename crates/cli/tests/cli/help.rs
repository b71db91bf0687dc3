//! `--help` of every command, completions and the manual page.

use insta::assert_snapshot;

use crate::support::{program, transcript};

fn out(args: &[&str]) -> String {
    transcript(&program(args).output().unwrap())
}

/// The commands that a help text lists, besides `help`.
fn commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("\nCommands:\n").unwrap_or_default();
    let names = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help");
    names.collect()
}

/// Every command, as one writes it, with its help.
fn all_commands() -> Vec<(Vec<String>, String)> {
    let mut all: Vec<(Vec<String>, String)> = Vec::new();
    let mut next = vec![Vec::new()];
    while let Some(path) = next.pop() {
        let words = path.iter().map(String::as_str).chain(["--help"]);
        let help = out(&words.collect::<Vec<_>>());
        next.extend(commands(&help).into_iter().map(|command| {
            let mut path = path.clone();
            path.push(command.to_owned());
            path
        }));
        all.push((path, help));
    }
    assert!(all.len() > 12, "only {} commands", all.len());
    all
}

#[test]
fn every_command_has_help() {
    for (path, help) in all_commands() {
        assert_snapshot!(
            [&["help".to_owned()], path.as_slice()].concat().join("_"),
            help
        );
    }
}

#[test]
fn the_manual_page_has_every_command() {
    let page = out(&["man"]);
    assert!(page.starts_with("exit status 0\n--- stdout\n.ie"), "{page}");
    for (path, _) in all_commands() {
        let heading = format!(".SH {}\n", path.join(" ").to_uppercase());
        assert!(path.is_empty() || page.contains(&heading), "{heading}");
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
