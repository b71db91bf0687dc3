//! Files of the project, Markdown, YAML.

#[path = "../shared/module.rs"]
mod module;

use std::sync::LazyLock;

use imagestream_import_mode_host::{ScriptedCluster, WapcPolicy};
use serde_json::Value;

pub use self::module::{MODULE, project};

/// The makefile, and what it includes.
pub const MAKEFILES: [&str; 4] = ["Makefile", "bench.mk", "checks.mk", "release.mk"];

/// A file of the project.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The policy's module, compiled once.
pub static POLICY: LazyLock<WapcPolicy> =
    LazyLock::new(|| WapcPolicy::from_file(&MODULE).expect("the module is a waPC module"));

/// The cluster of the examples, whose payload is Multi.
pub fn example_cluster() -> ScriptedCluster {
    let mut cluster = ScriptedCluster::default();
    cluster.add_path(&project("examples/cluster")).unwrap();
    cluster
}

/// Paths of the project's files below `folder` with one of `extensions`, in order.
pub fn files(folder: &str, extensions: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    collect(folder, extensions, &mut found);
    found.sort();
    assert!(!found.is_empty(), "no {extensions:?} in {folder}");
    found
}

fn collect(folder: &str, extensions: &[&str], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(project(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        if entry.file_type().unwrap().is_dir() {
            collect(&path, extensions, found);
        } else if name
            .rsplit_once('.')
            .is_some_and(|(_, end)| extensions.contains(&end))
        {
            found.push(path);
        }
    }
}

/// Every page that people read.
pub fn pages() -> Vec<String> {
    let mut pages = files("docs", &["md"]);
    pages.extend(files("examples", &["md"]));
    let top = ["README", "CHANGELOG", "CONTRIBUTING", "SECURITY"];
    pages.extend(top.map(|name| format!("{name}.md")));
    pages
}

/// A fenced block.
#[derive(Debug)]
pub struct Fence {
    /// The word behind the fence.
    pub info: String,
    /// Line of the fence, from 1.
    pub line: usize,
    /// The lines between the fences, without the indentation of the fence.
    pub body: String,
}

/// The fenced blocks of a page; the rest of it is returned with the blocks blanked.
pub fn fences(text: &str) -> (Vec<Fence>, String) {
    let mut fences = Vec::new();
    let mut rest = String::new();
    let mut open: Option<(Fence, usize)> = None;
    for (index, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let marker = line.trim_start().strip_prefix("```");
        match (&mut open, marker) {
            (None, Some(info)) if !info.contains('`') => {
                let fence = Fence {
                    info: info.trim().to_owned(),
                    line: index + 1,
                    body: String::new(),
                };
                open = Some((fence, indent));
            }
            (Some(_), Some("")) => fences.extend(open.take().map(|(fence, _)| fence)),
            (Some((fence, indent)), _) => {
                let line = line.get(*indent..).unwrap_or(line.trim_start());
                fence.body.push_str(line);
                fence.body.push('\n');
            }
            (None, _) => rest.push_str(line),
        }
        rest.push('\n');
    }
    assert!(open.is_none(), "a fence is never closed: {open:?}");
    (fences, rest)
}

/// The documents of a YAML text.
pub fn yaml(text: &str) -> Vec<Value> {
    try_yaml(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The documents of a YAML text, or why it is none.
pub fn try_yaml(text: &str) -> Result<Vec<Value>, String> {
    serde_saphyr::from_multiple(text).map_err(|error| error.to_string())
}

/// The one document of a YAML file of the project.
pub fn yaml_file(path: &str) -> Value {
    let mut documents = yaml(&read(path));
    assert_eq!(documents.len(), 1, "{path}");
    documents.remove(0)
}
