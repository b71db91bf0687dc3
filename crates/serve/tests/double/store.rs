//! The objects, and what happened to them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;

use super::Kind;

/// Records that are kept; older versions are gone.
const HISTORY: usize = 20_000;

#[derive(Default)]
pub struct Store {
    version: u64,
    /// Versions before this one cannot be watched from.
    oldest: u64,
    images: BTreeMap<String, Arc<str>>,
    streams: BTreeMap<String, Arc<str>>,
    history: Vec<Record>,
    /// The last change of images and of streams that the history has lost.
    lost: [u64; 2],
    snapshots: HashMap<u64, Snapshot>,
}

#[derive(Clone)]
pub struct Record {
    pub version: u64,
    pub kind: Kind,
    pub what: &'static str,
    pub object: Arc<str>,
}

#[derive(Clone)]
pub struct Snapshot {
    pub version: u64,
    pub objects: Arc<[Arc<str>]>,
}

impl Store {
    pub fn put(&mut self, kind: Kind, mut object: Value) -> u64 {
        self.version += 1;
        object["metadata"]["resourceVersion"] = self.version.to_string().into();
        let key = key(&object);
        let text: Arc<str> = object.to_string().into();
        let old = self.objects_mut(kind).insert(key, Arc::clone(&text));
        self.record(kind, if old.is_some() { "MODIFIED" } else { "ADDED" }, text);
        self.version
    }

    pub fn delete(&mut self, kind: Kind, key: &str) -> u64 {
        let object = self.objects_mut(kind).remove(key).expect("it exists");
        self.version += 1;
        // The last state, with the version of the deletion.
        let mut object: Value = serde_json::from_str(&object).unwrap();
        object["metadata"]["resourceVersion"] = self.version.to_string().into();
        self.record(kind, "DELETED", object.to_string().into());
        self.version
    }

    pub fn compact(&mut self) {
        self.version += 1;
        self.oldest = self.version;
        let history = std::mem::take(&mut self.history);
        self.lose(&history);
    }

    pub fn objects(&self, kind: Kind) -> Vec<String> {
        let objects = match kind {
            Kind::Image => &self.images,
            Kind::ImageStream => &self.streams,
        };
        objects.values().map(|text| text.to_string()).collect()
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn is_gone(&self, version: u64) -> bool {
        version < self.oldest
    }

    /// Whether something that happened after `version` is no longer known.
    pub fn has_lost(&self, kind: Kind, version: u64) -> bool {
        version < self.lost[kind as usize]
    }

    /// What happened after `version`.
    pub fn since(&self, kind: Kind, version: u64) -> Vec<Record> {
        let start = self
            .history
            .partition_point(|record| record.version <= version);
        let records = self.history[start..].iter();
        records
            .filter(|record| record.kind == kind)
            .cloned()
            .collect()
    }

    /// The state of now, or the one of an earlier page.
    pub fn snapshot(&mut self, kind: Kind, of: Option<u64>) -> Option<Snapshot> {
        if let Some(version) = of {
            return self.snapshots.get(&version).cloned();
        }
        let objects: Arc<[Arc<str>]> = self.objects_mut(kind).values().cloned().collect();
        let snapshot = Snapshot {
            version: self.version,
            objects,
        };
        Some(snapshot)
    }

    pub fn keep(&mut self, token: u64, snapshot: Snapshot) {
        self.snapshots.insert(token, snapshot);
    }

    pub fn release(&mut self, token: u64) {
        self.snapshots.remove(&token);
    }

    fn objects_mut(&mut self, kind: Kind) -> &mut BTreeMap<String, Arc<str>> {
        match kind {
            Kind::Image => &mut self.images,
            Kind::ImageStream => &mut self.streams,
        }
    }

    fn record(&mut self, kind: Kind, what: &'static str, object: Arc<str>) {
        self.history.push(Record {
            version: self.version,
            kind,
            what,
            object,
        });
        if self.history.len() > 2 * HISTORY {
            let lost: Vec<Record> = self.history.drain(..HISTORY).collect();
            self.oldest = self.history[0].version;
            self.lose(&lost);
        }
    }

    fn lose(&mut self, records: &[Record]) {
        for record in records {
            self.lost[record.kind as usize] = record.version;
        }
    }
}

fn key(object: &Value) -> String {
    let name = object["metadata"]["name"].as_str().expect("a name");
    match object["metadata"]["namespace"].as_str() {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}
