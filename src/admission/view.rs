//! The parts of an AdmissionRequest that the decision reads, picked in one walk over its text.

use crate::json::{Cursor, Json};

/// An AdmissionRequest as it stands in the text, read in one walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequestView<'a> {
    pub(super) whole: Option<Json<'a>>,
    pub(super) uid: Option<Json<'a>>,
    pub(super) kind: Option<Json<'a>>,
    pub(super) operation: Option<Json<'a>>,
    pub(super) sub_resource: Option<Json<'a>>,
    pub(super) name: Option<Json<'a>>,
    pub(super) namespace: Option<Json<'a>>,
    pub(super) user_info: Option<Json<'a>>,
    pub(super) object: ObjectView<'a>,
    pub(super) old_object: ObjectView<'a>,
}

impl<'a> RequestView<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        view.whole = cursor.object(|key, cursor| match key {
            "uid" => view.uid = cursor.value(),
            "kind" => view.kind = cursor.value(),
            "operation" => view.operation = cursor.value(),
            "subResource" => view.sub_resource = cursor.value(),
            "name" => view.name = cursor.value(),
            "namespace" => view.namespace = cursor.value(),
            "userInfo" => view.user_info = cursor.value(),
            "object" => view.object = ObjectView::read(cursor),
            "oldObject" => view.old_object = ObjectView::read(cursor),
            _ => {}
        });
        view
    }
}

/// An object of the request with the parts that hold slots or speak of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ObjectView<'a> {
    pub(crate) whole: Option<Json<'a>>,
    pub(crate) metadata: MetadataView<'a>,
    pub(crate) spec: SpecView<'a>,
    /// `tag` of an `ImageStreamTag`.
    pub(crate) tag: Option<Json<'a>>,
    pub(crate) status: Option<Json<'a>>,
}

impl<'a> ObjectView<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        view.whole = cursor.object(|key, cursor| match key {
            "metadata" => view.metadata = MetadataView::read(cursor),
            "spec" => view.spec = SpecView::read(cursor),
            "tag" => view.tag = cursor.value(),
            "status" => view.status = cursor.value(),
            _ => {}
        });
        view
    }
}

/// The parts of an object's metadata that the decision reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MetadataView<'a> {
    pub(super) name: Option<Json<'a>>,
    pub(super) namespace: Option<Json<'a>>,
    pub(crate) annotations: Option<Json<'a>>,
    pub(crate) managed_fields: Option<Json<'a>>,
    pub(super) deletion_timestamp: Option<Json<'a>>,
}

impl<'a> MetadataView<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        cursor.object(|key, cursor| match key {
            "name" => view.name = cursor.value(),
            "namespace" => view.namespace = cursor.value(),
            "annotations" => view.annotations = cursor.value(),
            "managedFields" => view.managed_fields = cursor.value(),
            "deletionTimestamp" => view.deletion_timestamp = cursor.value(),
            _ => {}
        });
        view
    }
}

/// `spec` of an object and the members of it that hold slots.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpecView<'a> {
    /// The slot of an `ImageTag`.
    pub(crate) whole: Option<Json<'a>>,
    /// The slots of an `ImageStream`.
    pub(crate) tags: Option<Json<'a>>,
    /// Slots of an `ImageStreamImport`.
    pub(crate) images: Option<Json<'a>>,
    pub(crate) repository: Option<Json<'a>>,
    pub(super) import: Option<Json<'a>>,
}

impl<'a> SpecView<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        view.whole = cursor.object(|key, cursor| match key {
            "tags" => view.tags = cursor.value(),
            "images" => view.images = cursor.value(),
            "repository" => view.repository = cursor.value(),
            "import" => view.import = cursor.value(),
            _ => {}
        });
        view
    }
}
