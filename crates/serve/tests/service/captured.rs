//! Answers of a real openshift-apiserver, from the objects of the same moment.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::double::client::{config, serve};
use crate::double::{ApiServer, Kind};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/layers")
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The objects of a list, or the one object.
fn objects(value: Value) -> Vec<Value> {
    match value["items"].as_array() {
        Some(items) => items.clone(),
        None => vec![value],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_recorded_answer_comes_over_http() {
    let mut compared = 0;
    for entry in fs::read_dir(data()).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(folder.join("layers.json")) else {
            continue;
        };
        let expected: Value = serde_json::from_str(&text).unwrap();
        if expected["kind"] != "ImageStreamLayers" {
            continue;
        }
        let api = ApiServer::start().await;
        let mut stream = objects(read(&folder.join("imagestream.json"))).remove(0);
        for image in objects(read(&folder.join("images.json"))) {
            api.state.put(Kind::Image, image);
        }
        api.state.put(Kind::ImageStream, stream.clone());
        // The double gives its own versions.
        stream = serde_json::from_str(&api.state.objects(Kind::ImageStream)[0]).unwrap();
        let mut expected = expected;
        expected["metadata"]["resourceVersion"] = stream["metadata"]["resourceVersion"].clone();

        let (_service, reader) = serve(&api, config()).await;
        reader.until_synced().await;
        let [namespace, name] =
            ["namespace", "name"].map(|key| stream["metadata"][key].as_str().unwrap().to_owned());
        let answer = reader.layers(&namespace, &name).await;
        assert_eq!(answer.code, 200, "{}", folder.display());
        assert_eq!(answer.headers["content-type"], "application/json");
        assert_eq!(answer.json(), expected, "{}", folder.display());
        assert!(answer.text.ends_with("}\n"));
        compared += 1;
    }
    assert!(compared >= 7, "{compared} answers compared");
}

/// `name` as a pretty `Status` of the fixtures, in one line as the API sends it.
pub fn status(name: &str) -> String {
    let text = fs::read_to_string(data().join(name).join("layers.json")).unwrap();
    let mut line: String = text.lines().map(str::trim_start).collect();
    for (pretty, compact) in [("\": ", "\":"), (",\"", ",\"")] {
        line = line.replace(pretty, compact);
    }
    line + "\n"
}
