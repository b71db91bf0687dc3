//! The component as a file: its interface, and what makes it one for any host.

use std::sync::Arc;

use imagestream_import_mode_host::{
    ComponentPolicy, CoreDoor, Door, NoCluster, Request, ScriptedCluster,
};
use serde_json::json;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use crate::support::{COMPONENT, COMPONENT_POLICY};

/// The items of an imported or exported instance, sorted.
fn items(engine: &Engine, item: ComponentItem) -> Vec<String> {
    let ComponentItem::ComponentInstance(instance) = item else {
        panic!("not an instance: {item:?}");
    };
    let mut items: Vec<_> = instance
        .exports(engine)
        .map(|(name, item)| match item.ty {
            ComponentItem::ComponentFunc(_) => format!("{name}()"),
            _ => name.to_owned(),
        })
        .collect();
    items.sort();
    items
}

#[test]
fn it_imports_the_cluster_and_nothing_else() {
    let engine = Engine::default();
    let component = Component::new(&engine, &*COMPONENT).unwrap();
    let imports: Vec<_> = component
        .component_type()
        .imports(&engine)
        .map(|(name, item)| (name.to_owned(), items(&engine, item.ty)))
        .collect();
    let interface = ["cluster-error", "get-resource()"].map(String::from);
    assert_eq!(
        imports,
        [(
            "imagestream-import-mode:policy/cluster@0.1.0".to_owned(),
            interface.to_vec()
        )]
    );
}

#[test]
fn it_exports_the_policy_and_the_layers_and_nothing_else() {
    let engine = Engine::default();
    let component = Component::new(&engine, &*COMPONENT).unwrap();
    let exports: Vec<_> = component
        .component_type()
        .exports(&engine)
        .map(|(name, item)| (name.to_owned(), items(&engine, item.ty)))
        .collect();
    let admission = [
        "acceptance",
        "audit-annotation",
        "edit",
        "import-mode",
        "json-patch()",
        "mode-source",
        "mutation",
        "rejection",
        "settings-fault",
        "validate()",
        "validate-settings()",
        "validation-error",
        "verdict",
        "warning",
        "warning-kind",
    ];
    let layers = [
        "[constructor]index()",
        "[method]image-stream-layers.contains()",
        "[method]image-stream-layers.problems()",
        "[method]image-stream-layers.to-json()",
        "[method]index.apply()",
        "[method]index.contains()",
        "[method]index.delete()",
        "[method]index.has-synced()",
        "[method]index.image-stream-layers()",
        "[method]index.images-with-layer()",
        "[method]index.parents()",
        "[method]index.replace-all()",
        "applied",
        "image-problem",
        "image-stream-layers",
        "index",
        "layers-error",
        "object-fault",
        "page-fault",
        "problem",
    ];
    assert_eq!(
        exports,
        [
            (
                "imagestream-import-mode:policy/admission@0.1.0".to_owned(),
                admission.map(String::from).to_vec()
            ),
            (
                "imagestream-import-mode:policy/layers@0.1.0".to_owned(),
                layers.map(String::from).to_vec()
            ),
        ]
    );
}

#[test]
fn settings_faults_are_the_library_s() {
    for settings in ["{}", "", "{", "[1]", r#"{"overwrites":"x","action":7}"#] {
        assert_eq!(
            COMPONENT_POLICY.validate_settings(settings.as_bytes()),
            CoreDoor.validate_settings(settings.as_bytes()),
            "{settings}"
        );
    }
}

#[test]
fn a_request_that_cannot_be_understood_is_an_error_of_its_own() {
    let request = Request::raw(r#"{"uid":"u","kind":{}}"#).unwrap();
    let evaluation = COMPONENT_POLICY
        .evaluate(&request, &json!({}), Arc::new(NoCluster))
        .unwrap();
    let status = evaluation.response.status.unwrap();
    assert_eq!(
        (status.message.as_deref(), status.code),
        (
            Some("cannot understand the admission request: `request.operation` must be a string"),
            Some(400)
        )
    );
}

#[test]
fn a_failed_read_comes_with_a_line_for_the_log() {
    let request = Request::raw(
        r#"{"uid":"u","operation":"CREATE","name":"s:a",
            "kind":{"group":"image.openshift.io","version":"v1","kind":"ImageTag"},
            "object":{"spec":{"name":"a"}}}"#,
    )
    .unwrap();
    let evaluate = |door: &dyn Door| {
        let forbidden = json!({"error": "images.config.openshift.io is forbidden"});
        let cluster = [("config.openshift.io/v1/Image/cluster".to_owned(), forbidden)];
        let cluster = ScriptedCluster::from_case(&cluster.into_iter().collect());
        door.evaluate(&request, &json!({}), Arc::new(cluster))
            .unwrap()
    };
    let (core, component) = (evaluate(&CoreDoor), evaluate(&*COMPONENT_POLICY));
    assert_eq!(core.calls.reads, component.calls.reads);
    assert_eq!(
        component.calls.log,
        [
            r#"{"level":"WARNING","message":"cannot read config.openshift.io/v1/Image/cluster: images.config.openshift.io is forbidden"}"#
        ]
    );
    assert_eq!(core.response, component.response);
}

#[test]
fn what_is_no_component_is_said_to_be_none() {
    let error = ComponentPolicy::new(b"\0asm\x01\0\0\0").err().unwrap();
    assert!(
        error
            .to_string()
            .starts_with("not a component of the world `policy`: "),
        "{error}"
    );
}
