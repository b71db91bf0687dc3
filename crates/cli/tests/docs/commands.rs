//! The commands in `console` fences are run and print what the page says.
//!
//! `DOCS=overwrite cargo test …` writes what they print into the pages.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use crate::support::{POLICY, fences, pages, project, read};

/// What a `console` fence may run.
const OURS: [&str; 2] = ["make", "imagestream-import-mode"];

/// One command of a page with the text that the page shows under it.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    command: String,
    output: String,
}

fn parse(body: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push(Shown {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) if last.command.ends_with('\\') => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (None, Some(last)) => {
                last.output.push_str(line);
                last.output.push('\n');
            }
            (None, None) => panic!("a `console` fence starts with `$ `: {body}"),
        }
    }
    commands
}

/// What a command prints: standard output, and for our own program standard error and a status behind it.
fn run(command: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_imagestream-import-mode"));
    let folder = program.parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(project(""))
        .env("PATH", path)
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("KUBECONFIG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    let is_make = command.starts_with("make ");
    if is_make {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command}: {errors}");
    } else {
        text.push_str(&String::from_utf8(output.stderr).unwrap());
        let status = output.status.code().unwrap();
        if status != 0 {
            let _ = writeln!(text, "(exit status {status})");
        }
    }
    text
}

#[test]
fn every_command_prints_what_the_page_says() {
    LazyLock::force(&POLICY);
    let overwrite = std::env::var("DOCS").is_ok_and(|value| value == "overwrite");
    let mut wrong = String::new();
    let mut ran = 0;
    for page in pages() {
        let text = read(&page);
        let mut corrected = text.clone();
        for fence in fences(&text)
            .0
            .iter()
            .filter(|fence| fence.info == "console")
        {
            let mut body = String::new();
            for shown in parse(&fence.body) {
                let ours = shown
                    .command
                    .split('|')
                    .all(|part| OURS.contains(&part.split_whitespace().next().unwrap_or_default()));
                assert!(ours, "{page}:{}: only {OURS:?} are run", fence.line);
                ran += 1;
                let output = run(&shown.command);
                let matches = is_shown(&shown.output, &output);
                if !matches {
                    let _ = writeln!(
                        wrong,
                        "{page}:{}: $ {}\n{output}",
                        fence.line, shown.command
                    );
                }
                let text = if matches { &shown.output } else { &output };
                let _ = write!(body, "$ {}\n{}", shown.command, with_end(text));
            }
            let (old, new) = (
                format!("```console\n{}```", fence.body),
                format!("```console\n{body}```"),
            );
            corrected = corrected.replace(&old, &new);
        }
        if overwrite && corrected != text {
            std::fs::write(project(&page), corrected).unwrap();
        }
    }
    assert!(ran >= 12, "only {ran} commands");
    assert!(overwrite || wrong.is_empty(), "pages differ from\n{wrong}");
}

/// Whether a page shows `output`; a line `…` stands for any lines.
fn is_shown(shown: &str, output: &str) -> bool {
    let (shown, output) = (with_end(shown), with_end(output));
    let mut parts = shown.split("…\n");
    let Some(mut rest) = parts.next().and_then(|first| output.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.is_empty()
}

#[test]
fn left_out_lines_stand_for_any() {
    assert!(is_shown("a\nb", "a\nb\n\n"));
    assert!(!is_shown("a\nb", "a\nb\nc"));
    assert!(is_shown("…\nc\n", "a\nb\nc\n"));
    assert!(is_shown("a\n…\nc\n…\n", "a\nb\nc\nd\n"));
    assert!(!is_shown("a\n…\nx\n", "a\nb\n"));
}

fn with_end(output: &str) -> String {
    let output = output.trim_end();
    if output.is_empty() {
        String::new()
    } else {
        format!("{output}\n")
    }
}

/// Fences of other programs are marked so that nobody takes them for tested ones.
#[test]
fn untested_commands_stand_in_sh_fences_and_are_not_ours_alone() {
    for page in pages() {
        for fence in fences(&read(&page)).0 {
            let known =
                ["", "console", "sh", "js", "yaml", "json", "text"].contains(&fence.info.as_str());
            assert!(
                known,
                "{page}:{}: unknown fence `{}`",
                fence.line, fence.info
            );
            assert!(
                !fence.info.is_empty(),
                "{page}:{}: a fence without a language",
                fence.line
            );
            if fence.info == "sh" {
                assert!(
                    !fence
                        .body
                        .lines()
                        .all(|line| line.starts_with("imagestream-import-mode ")
                            && !line.contains('|')),
                    "{page}:{}: these lines can be run, mark them as console",
                    fence.line
                );
            }
        }
    }
}
