//! Bad input: file, line and path, exit status 2, and nothing on standard output.

use insta::assert_snapshot;

use crate::support::{program, run, run_on, scratch, transcript};

#[track_caller]
fn refused(input: &str, message: &str) {
    let file = scratch("errors").join("input.json");
    std::fs::write(&file, input).unwrap();
    let path = file.display().to_string();
    for command in ["run", "explain"] {
        assert_eq!(
            run(&[command, &path]),
            format!("exit status 2\n--- stderr\nerror: {message}\n"),
        );
    }
}

#[test]
fn documents_that_cannot_be_used_are_refused_with_their_place() {
    let review = r#"{"kind":"AdmissionReview",
"request":{"uid":"u",
"kind":{"group":"","version":"v1"},"operation":"CREATE"}}"#;
    let cases = [
        (
            "{",
            "SCRATCH/errors/input.json:1:1: not JSON: EOF while parsing an object",
        ),
        (
            "{\"a\": 1,\n\"b\": }",
            "SCRATCH/errors/input.json:2:6: not JSON: expected value",
        ),
        (
            "",
            "`SCRATCH/errors/input.json` holds no document; an AdmissionReview, a manifest or a List is needed",
        ),
        (
            "[\"words\"]",
            "SCRATCH/errors/input.json:1: must be an object: an AdmissionReview, a manifest or a List",
        ),
        (
            "[1]",
            "SCRATCH/errors/input.json:1: must be an object: an AdmissionReview, a manifest or a List",
        ),
        (
            "{\"a\": \"b\"}",
            "SCRATCH/errors/input.json:1: `apiVersion`: must be a text; only AdmissionReviews, AdmissionRequests, manifests and Lists are understood",
        ),
        (
            "{\"kind\": \"AdmissionReview\"}",
            "SCRATCH/errors/input.json:1: the AdmissionReview has no `request`; capture it as the API server sends it",
        ),
        (
            review,
            "SCRATCH/errors/input.json:3: `request`: not an AdmissionRequest: missing field `kind`; policy-server would answer 422",
        ),
        (
            "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[\n{\"kind\":\"A\",\"apiVersion\":\"v1\",\"metadata\":{}},\n{\"kind\":\"A\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":1}}]}",
            "SCRATCH/errors/input.json:3: `items[1].metadata.name`: must be a text; quote it",
        ),
    ];
    for (input, message) in cases {
        refused(input, message);
    }
}

#[test]
fn yaml_that_cannot_be_read_is_refused_with_its_line() {
    assert_snapshot!(run_on("kind: A\napiVersion: v1\n---\nkind: [\n", &["run"]));
    assert_snapshot!(run_on("just words\n", &["run"]));
    assert_snapshot!(run_on("kind: A\napiVersion: v1\nkind: B\n", &["run"]));
}

#[test]
fn one_bad_document_and_nothing_is_printed() {
    assert_eq!(
        run(&["run", "examples/reviews/oc-tag.json", "no-such-file"]),
        "exit status 2\n--- stderr\nerror: cannot read `no-such-file`: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_missing_module_says_how_to_build_one() {
    let tag = "examples/reviews/oc-tag.json";
    let named = program(&["run", tag, "--module", "no-such.wasm"])
        .output()
        .unwrap();
    assert_eq!(
        transcript(&named),
        "exit status 2\n--- stderr\nerror: cannot read `no-such.wasm`: No such file or directory (os error 2); `make policy` builds the module\n"
    );
    let empty = scratch("empty");
    let tag = crate::support::project(tag).display().to_string();
    let output = program(&["run", &tag])
        .current_dir(&empty)
        .output()
        .unwrap();
    let text = transcript(&output);
    assert!(text.starts_with("exit status 2\n--- stderr\nerror: no policy module: there is no `./policy.wasm` and no `"), "{text}");
    assert!(
        text.ends_with("policy.wasm`; `make policy` builds it, --module names another place\n"),
        "{text}"
    );
}

#[test]
fn a_file_that_is_no_module_is_refused() {
    let args = [
        "run",
        "examples/reviews/oc-tag.json",
        "--module",
        "Cargo.toml",
    ];
    let text = transcript(&program(&args).output().unwrap());
    assert!(
        text.starts_with("exit status 2\n--- stderr\nerror: "),
        "{text}"
    );
    assert!(
        text.ends_with("; `make policy` builds one\n") || text.ends_with("builds the module\n"),
        "{text}"
    );
}

#[test]
fn settings_that_the_module_refuses_are_bad_input() {
    let tag = "examples/reviews/oc-tag.json";
    assert_snapshot!(run(&[
        "run",
        tag,
        "--set",
        "overwrite=always",
        "--set",
        "colour=red"
    ]));
}

#[test]
fn cluster_files_are_checked() {
    let folder = scratch("twice");
    let object =
        r#"{"apiVersion":"config.openshift.io/v1","kind":"Image","metadata":{"name":"cluster"}}"#;
    std::fs::write(folder.join("a.json"), object).unwrap();
    std::fs::write(folder.join("b.yaml"), object).unwrap();
    let folder = folder.display().to_string();
    assert_eq!(
        run(&["run", "examples/reviews/oc-tag.json", "--cluster", &folder]),
        "exit status 2\n--- stderr\nerror: SCRATCH/twice/b.yaml:1: `config.openshift.io/v1/Image/cluster` a second time; keep one of them\n"
    );
}

#[test]
fn a_kubeconfig_that_cannot_be_read_is_bad_input() {
    assert_snapshot!(run(&[
        "run",
        "examples/reviews/oc-tag.json",
        "--kubeconfig",
        "no-such-file"
    ]));
}

#[test]
fn what_is_of_the_wrong_kind_says_what_would_do() {
    let folder = scratch("wrong-kind");
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let tag = "examples/reviews/oc-tag.json";
    let empty = empty.display().to_string();
    let binary = file("binary", b"\x00asm\xff");
    let deployment = file(
        "deployment.yaml",
        b"apiVersion: apps/v1\nkind: Deployment\n",
    );
    let broken = file("kubeconfig", b"clusters: [\n");
    let cases: [(&[&str], &str); 6] = [
        (
            &["run", &empty],
            "cannot read `SCRATCH/wrong-kind/empty`: Is a directory (os error 21); name the files in it",
        ),
        (
            &["run", &binary],
            "cannot read `SCRATCH/wrong-kind/binary`: stream did not contain valid UTF-8; JSON or YAML is needed",
        ),
        (
            &["run", tag, "--cluster", &empty],
            "`SCRATCH/wrong-kind/empty` holds no object; name a file or folder that `oc get -o json` or must-gather wrote",
        ),
        (
            &["run", tag, "--settings", &deployment],
            "SCRATCH/wrong-kind/deployment.yaml:1: `Deployment` holds no settings; name a ClusterAdmissionPolicy, an AdmissionPolicy or a file with settings alone",
        ),
        (
            &["run", tag, "--kubeconfig", &broken],
            "kubeconfig `SCRATCH/wrong-kind/kubeconfig`: failed to parse kubeconfig YAML: error: line 1 column 11: unclosed bracket '['; `oc config get-contexts` lists what there is",
        ),
        (
            &["settings", "check", &deployment],
            "SCRATCH/wrong-kind/deployment.yaml:1: `Deployment` holds no settings; name a ClusterAdmissionPolicy, an AdmissionPolicy or a file with settings alone",
        ),
    ];
    for (args, message) in cases {
        assert_eq!(
            run(args),
            format!("exit status 2\n--- stderr\nerror: {message}\n")
        );
    }
}
