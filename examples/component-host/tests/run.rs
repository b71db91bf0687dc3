//! The example as a stranger runs it. `make component` builds the component.

use std::path::Path;
use std::process::Command;

#[test]
fn the_verdict_is_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_component-host"))
        .arg(folder.join("../../imagestream-import-mode.component.wasm"))
        .arg(folder.join("request.json"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        r#"asked for image.openshift.io/v1 ImageStream app
asked for config.openshift.io/v1 Image cluster
asked for config.openshift.io/v1 ClusterVersion version
/spec/images/0/importPolicy/importMode: ImportMode::PreserveOriginal, ModeSource::ClusterVersion
asked for image.openshift.io/v1 ImageStream app
asked for config.openshift.io/v1 Image cluster
asked for config.openshift.io/v1 ClusterVersion version
patch: [{"op":"add","path":"/spec/images/0/importPolicy/importMode","value":"PreserveOriginal"}]
"#
    );
}
