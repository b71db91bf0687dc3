//! Runs the policy as a component: `component-host COMPONENT REQUEST [SETTINGS]`.
//!
//! REQUEST is a file with a Kubernetes `AdmissionRequest`, SETTINGS is JSON. The verdict is printed.

use std::{env, fs};

use wasmtime::component::{Component, HasSelf, Linker, bindgen};
use wasmtime::{Engine, Result, Store};

bindgen!({ path: "../../wit", world: "policy" });

use exports::imagestream_import_mode::policy::admission::{ValidationError, Verdict};
use imagestream_import_mode::policy::cluster::{ClusterError, Host};

const MULTI: &str = r#"{"status":{"desired":{"architecture":"Multi"}}}"#;

/// What stands behind the policy; yours asks an API server.
struct Cluster;

impl Host for Cluster {
    fn get_resource(
        &mut self,
        api_version: String,
        kind: String,
        _namespace: Option<String>,
        name: String,
        _field_masks: Vec<String>,
    ) -> Result<Option<String>, ClusterError> {
        println!("asked for {api_version} {kind} {name}");
        match kind.as_str() {
            "ClusterVersion" => Ok(Some(MULTI.to_owned())),
            "Image" | "ImageStream" => Ok(None),
            _ => Err(ClusterError::Refused("not read here".to_owned())),
        }
    }
}

fn main() -> Result<()> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let (component, request, settings) = match arguments.as_slice() {
        [component, request] => (component, request, "{}"),
        [component, request, settings] => (component, request, settings.as_str()),
        _ => wasmtime::bail!("usage: component-host COMPONENT REQUEST [SETTINGS]"),
    };
    let request = fs::read_to_string(request)?;

    // Once: compile the component, link what it imports.
    let engine = Engine::default();
    let mut linker = Linker::new(&engine);
    Policy::add_to_linker::<_, HasSelf<_>>(&mut linker, |cluster: &mut Cluster| cluster)?;
    let component = Component::from_file(&engine, component)?;
    let policy = PolicyPre::new(linker.instantiate_pre(&component)?)?;

    // For each request: a fresh instance, typed calls.
    let mut store = Store::new(&engine, Cluster);
    let policy = policy.instantiate(&mut store)?;
    let admission = policy.imagestream_import_mode_policy_admission();
    match admission.call_validate(&mut store, &request, settings)? {
        Ok(Verdict::Accept(_)) => println!("accepted as it is"),
        Ok(Verdict::Mutate(mutation)) => {
            for edit in mutation.edits {
                println!("{}: {:?}, {:?}", edit.pointer, edit.mode, edit.reason);
            }
        }
        Ok(Verdict::Reject(rejection)) => println!("rejected: {}", rejection.message),
        Err(ValidationError::MalformedRequest(why)) => println!("{why}"),
    }
    if let Ok(Some(patch)) = admission.call_json_patch(&mut store, &request, settings)? {
        println!("patch: {patch}");
    }
    Ok(())
}
