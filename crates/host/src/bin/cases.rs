//! Runs a folder of case files: `cases [--door DOOR] [--module FILE] [--modules FOLDER] CASES`.
//!
//! DOOR is `core`, `wapc`, `component`, `opa` or `all`; the modules lie in FOLDER under the names
//! that `make` gives them, or FILE is the one of the single door. Prints each difference, counts
//! cases under each settings object, and ends with status 1 if there is any difference. See
//! `make cases`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use imagestream_import_mode_host::cases::{self, Case};
use imagestream_import_mode_host::{CoreDoor, Door, open};

const USAGE: &str =
    "usage: cases [--door core|wapc|component|opa|all] [--module FILE] [--modules FOLDER] CASES";

/// The doors with a binary, its name, and the target that makes it.
const BINARIES: [(&str, &str, &str); 3] = [
    ("wapc", "policy.wasm", "policy"),
    (
        "component",
        "imagestream-import-mode.component.wasm",
        "component",
    ),
    ("opa", "imagestream-import-mode.opa.wasm", "opa"),
];

struct Arguments {
    door: String,
    module: Option<PathBuf>,
    modules: PathBuf,
    cases: PathBuf,
}

fn arguments() -> Result<Arguments, String> {
    let mut door = "all".to_owned();
    let mut module = None;
    let mut modules = PathBuf::from(".");
    let mut cases = None;
    let mut given = std::env::args_os().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(USAGE);
        match argument.to_str() {
            Some("--door") => door = value()?.to_string_lossy().into_owned(),
            Some("--module") => module = Some(value()?.into()),
            Some("--modules") => modules = value()?.into(),
            Some(option) if option.starts_with('-') => return Err(USAGE.to_owned()),
            _ if cases.is_some() => return Err(USAGE.to_owned()),
            _ => cases = Some(argument.into()),
        }
    }
    Ok(Arguments {
        door,
        module,
        modules,
        cases: cases.ok_or(USAGE)?,
    })
}

fn doors(arguments: &Arguments) -> Result<Vec<Box<dyn Door>>, String> {
    let wanted = |name: &str| arguments.door == name || arguments.door == "all";
    let mut doors: Vec<Box<dyn Door>> = Vec::new();
    if wanted("core") {
        doors.push(Box::new(CoreDoor));
    }
    for (name, file, target) in BINARIES {
        if !wanted(name) {
            continue;
        }
        let path = match &arguments.module {
            Some(module) if arguments.door == name => module.clone(),
            _ => arguments.modules.join(file),
        };
        let door = open(&path).map_err(|error| format!("{error}; `make {target}` builds it"))?;
        if door.name() != name {
            let (path, is) = (path.display(), door.name());
            return Err(format!("`{path}` is for the door {is}, not {name}"));
        }
        doors.push(door);
    }
    if doors.is_empty() {
        let door = &arguments.door;
        return Err(format!(
            "no door `{door}`; there are core, wapc, component, opa, all"
        ));
    }
    Ok(doors)
}

/// The number of passed and of failed decisions in one file.
fn run_file(path: &Path, doors: &[Box<dyn Door>]) -> (usize, usize) {
    let case = match Case::read(path) {
        Ok(case) => case,
        Err(error) => {
            println!("{}: {error}", path.display());
            return (0, 1);
        }
    };
    for key in case.unknown.keys() {
        println!("{}: note: the key `{key}` means nothing", path.display());
    }
    if case.expect.is_empty() {
        println!("{}: expects nothing", path.display());
        return (0, 1);
    }
    let (mut passed, mut failed) = (0, 0);
    for expected in &case.expect {
        let mut differs = false;
        for door in doors {
            for difference in cases::check(&case, expected, door.as_ref()) {
                differs = true;
                println!(
                    "{}, settings {}, {}: {difference}",
                    path.display(),
                    expected.settings,
                    door.name()
                );
            }
        }
        if differs {
            failed += 1;
        } else {
            passed += 1;
        }
    }
    (passed, failed)
}

fn main() -> ExitCode {
    let set_up = arguments().and_then(|arguments| {
        let doors = doors(&arguments)?;
        let files = cases::files(&arguments.cases)
            .map_err(|error| format!("{}: {error}", arguments.cases.display()))?;
        Ok((doors, files))
    });
    let (doors, files) = match set_up {
        Ok(set_up) => set_up,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let (mut passed, mut failed) = (0, 0);
    for path in files {
        let (more_passed, more_failed) = run_file(&path, &doors);
        passed += more_passed;
        failed += more_failed;
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
