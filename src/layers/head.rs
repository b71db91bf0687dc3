//! What an object is, before it is read.

use serde::de::MapAccess;

use super::json::{Fields, Object, Text};

/// The API group and version of both kinds.
pub(super) const API_VERSION: &str = "image.openshift.io/v1";

/// Kind and name of an object.
#[derive(Default)]
pub(super) struct Head<'a> {
    pub(super) kind: Text<'a>,
    pub(super) api_version: Text<'a>,
    pub(super) metadata: Object<HeadMeta<'a>>,
}

#[derive(Default)]
pub(super) struct HeadMeta<'a> {
    pub(super) namespace: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) resource_version: Text<'a>,
}

impl<'de> Fields<'de> for Head<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "kind" => self.kind = map.next_value()?,
            "apiVersion" => self.api_version = map.next_value()?,
            "metadata" => self.metadata = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<'de> Fields<'de> for HeadMeta<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "namespace" => self.namespace = map.next_value()?,
            "name" => self.name = map.next_value()?,
            "resourceVersion" => self.resource_version = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<'a> Head<'a> {
    pub(super) fn read(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str::<Object<Self>>(text).map(|Object(head)| head)
    }

    /// `name`, or `namespace/name`.
    pub(super) fn name(&self) -> Option<String> {
        let HeadMeta {
            namespace, name, ..
        } = &self.metadata.0;
        match (namespace.0.as_ref(), name.0.as_ref()) {
            (_, "") => None,
            ("", name) => Some(name.to_owned()),
            (namespace, name) => Some(format!("{namespace}/{name}")),
        }
    }

    /// Objects of a typed list carry no version; `v1` is the group before it had a name. Other groups
    /// have an `Image` too, such as `config.openshift.io`.
    pub(super) fn is_of_image_api(&self) -> bool {
        matches!(self.api_version.0.as_ref(), "" | "v1" | API_VERSION)
    }

    /// Why the object is not one of `kind`; an object that does not say what it is may be.
    pub(super) fn mismatch(&self, kind: &str) -> Option<String> {
        if !self.kind.is_empty() && self.kind.0 != kind {
            return Some(format!("expected kind `{kind}`, found `{}`", self.kind.0));
        }
        (!self.is_of_image_api()).then(|| {
            format!(
                "expected apiVersion `{API_VERSION}`, found `{}`",
                self.api_version.0
            )
        })
    }
}
