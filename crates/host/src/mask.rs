//! Field masks of host calls: what a read is cut down to.

use std::collections::BTreeMap;

use serde_json::Value;

/// Keeps `apiVersion`, `kind`, `metadata` and the fields named by dot paths; arrays are transparent.
///
/// A path that names a field ends there: everything below stays. Without masks all stays.
pub(crate) fn apply(object: &mut Value, masks: &[String]) {
    if masks.is_empty() {
        return;
    }
    let mut tree = Node::default();
    for mask in ["apiVersion", "kind", "metadata"]
        .into_iter()
        .chain(masks.iter().map(String::as_str))
    {
        let mut node = &mut tree;
        for field in mask.split('.') {
            node = node.fields.entry(field.to_owned()).or_default();
        }
        node.whole = true;
    }
    tree.prune(object);
}

#[derive(Default)]
struct Node {
    whole: bool,
    fields: BTreeMap<String, Node>,
}

impl Node {
    fn prune(&self, value: &mut Value) {
        if self.whole {
            return;
        }
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| self.fields.contains_key(name));
                for (name, value) in fields {
                    if let Some(node) = self.fields.get(name) {
                        node.prune(value);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.prune(item)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn named_fields_and_metadata_stay() {
        let mut object = json!({
            "kind": "K", "metadata": {"name": "n"}, "spec": {"a": 1, "b": 2},
            "status": {"list": [{"x": 1, "y": 2}, {"y": 3}], "other": 1},
        });
        super::apply(&mut object, &["spec.a".into(), "status.list.x".into()]);
        assert_eq!(
            object,
            json!({
                "kind": "K", "metadata": {"name": "n"}, "spec": {"a": 1},
                "status": {"list": [{"x": 1}, {}]},
            })
        );
    }
}
