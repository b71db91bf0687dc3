//! Running the program, and what it runs on.

#[path = "../shared/module.rs"]
mod module;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

pub use self::module::{MODULE, project};

/// A folder for what tests write.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A waPC module that accepts every request as it is, and all settings.
pub static ACCEPTS_EVERYTHING: LazyLock<PathBuf> = LazyLock::new(|| {
    let text = project("crates/cli/tests/accept-everything.wat");
    let module = wat::parse_file(text).expect("the text is a module");
    let file = scratch("accept-everything").join("accept-everything.wasm");
    std::fs::write(&file, module).expect("the folder is writable");
    file
});

/// The program in the project's folder, with nothing of the user's environment that it heeds.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_imagestream-import-mode"));
    command
        .args(args)
        .current_dir(project(""))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("KUBECONFIG")
        .stdin(Stdio::null());
    command
}

/// Runs the program with the policy's module.
pub fn run(args: &[&str]) -> String {
    let module = MODULE.display().to_string();
    let mut all = args.to_vec();
    all.extend(["--module", &module]);
    transcript(&program(&all).output().unwrap())
}

/// Starts the program; its standard input and output are pipes.
pub fn spawn(args: &[&str]) -> Child {
    program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program with the policy's module and `input` on standard input.
pub fn run_on(input: &str, args: &[&str]) -> String {
    let module = MODULE.display().to_string();
    let mut all = args.to_vec();
    all.extend(["--module", &module]);
    let mut child = spawn(&all);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    transcript(&child.wait_with_output().unwrap())
}

/// Everything that a caller sees, machine paths left out.
pub fn transcript(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let mut transcript = format!("exit status {}\n", output.status.code().unwrap());
    if !stdout.is_empty() {
        transcript.push_str(&format!("--- stdout\n{stdout}"));
    }
    if !stderr.is_empty() {
        transcript.push_str(&format!("--- stderr\n{stderr}"));
    }
    let root = project("").display().to_string();
    let scratch = env!("CARGO_TARGET_TMPDIR");
    transcript.replace(&root, "").replace(scratch, "SCRATCH")
}
