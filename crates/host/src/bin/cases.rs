//! Runs a folder of case files: `cases [--door core|wapc|all] [--module FILE] FOLDER`.
//!
//! Prints each difference, counts cases under each settings object, and ends with status 1 if there
//! is any difference. See `make cases`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use imagestream_import_mode_host::cases::{self, Case};
use imagestream_import_mode_host::{CoreDoor, Door, WapcPolicy};

const USAGE: &str = "usage: cases [--door core|wapc|all] [--module FILE] FOLDER";

struct Arguments {
    door: String,
    module: PathBuf,
    folder: PathBuf,
}

fn arguments() -> Result<Arguments, String> {
    let mut door = "all".to_owned();
    let mut module = PathBuf::from("policy.wasm");
    let mut folder = None;
    let mut given = std::env::args_os().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(USAGE);
        match argument.to_str() {
            Some("--door") => door = value()?.to_string_lossy().into_owned(),
            Some("--module") => module = value()?.into(),
            Some(option) if option.starts_with('-') => return Err(USAGE.to_owned()),
            _ if folder.is_some() => return Err(USAGE.to_owned()),
            _ => folder = Some(argument.into()),
        }
    }
    Ok(Arguments {
        door,
        module,
        folder: folder.ok_or(USAGE)?,
    })
}

fn doors(name: &str, module: &Path) -> Result<Vec<Box<dyn Door>>, String> {
    let wapc = || -> Result<Box<dyn Door>, String> {
        WapcPolicy::from_file(module)
            .map(|policy| Box::new(policy) as Box<dyn Door>)
            .map_err(|error| format!("{error}; `make policy` builds the module"))
    };
    match name {
        "core" => Ok(vec![Box::new(CoreDoor)]),
        "wapc" => Ok(vec![wapc()?]),
        "all" => Ok(vec![Box::new(CoreDoor), wapc()?]),
        _ => Err(format!("no door `{name}`; there are core, wapc, all")),
    }
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
        let doors = doors(&arguments.door, &arguments.module)?;
        let files = cases::files(&arguments.folder)
            .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
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
