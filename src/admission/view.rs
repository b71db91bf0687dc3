//! The parts of an AdmissionRequest that the decision reads, picked in one walk over its text.

use super::ResourceKind;
use crate::json::{Cursor, Json};
use crate::slot::{Slot, SlotPath};

/// An AdmissionRequest as it stands in the text, read in one walk.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestView<'a> {
    pub(super) whole: Option<Json<'a>>,
    pub(super) uid: Option<Json<'a>>,
    pub(super) kind: Option<Json<'a>>,
    /// Which of the four kinds it is.
    pub(super) resource_kind: Option<ResourceKind>,
    pub(super) operation: Option<Json<'a>>,
    pub(super) sub_resource: Option<Json<'a>>,
    pub(super) name: Option<Json<'a>>,
    pub(super) namespace: Option<Json<'a>>,
    pub(super) user_info: Option<Json<'a>>,
    pub(super) object: Option<Box<ObjectView<'a>>>,
    pub(super) old_object: Option<Box<ObjectView<'a>>>,
}

impl<'a> RequestView<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        view.whole = cursor.object(|key, cursor| match key {
            b"uid" => view.uid = cursor.value(),
            b"kind" => {
                view.kind = cursor.value();
                view.resource_kind = view.kind.and_then(ResourceKind::of);
            }
            b"operation" => view.operation = cursor.value(),
            b"subResource" => view.sub_resource = cursor.value(),
            b"name" => view.name = cursor.value(),
            b"namespace" => view.namespace = cursor.value(),
            b"userInfo" => view.user_info = cursor.value(),
            b"object" => view.object = Some(ObjectView::read_if(!view.is_foreign(), cursor)),
            b"oldObject" => {
                view.old_object = Some(ObjectView::read_if(!view.is_foreign(), cursor));
            }
            _ => {}
        });
        if !view.is_foreign() {
            let objects = [&mut view.object, &mut view.old_object];
            for object in objects.into_iter().flatten() {
                object.catch_up();
            }
        }
        view
    }

    /// The kind is none of the four.
    fn is_foreign(&self) -> bool {
        self.kind.is_some() && self.resource_kind.is_none()
    }
}

/// An object of the request with its slots and the parts that speak of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectView<'a> {
    pub(crate) whole: Option<Json<'a>>,
    pub(crate) metadata: MetadataView<'a>,
    pub(crate) spec: SpecView<'a>,
    /// The slot of an `ImageStreamTag`.
    pub(crate) tag: Option<Slot<'a>>,
    pub(crate) status: Option<Json<'a>>,
    /// The kind before the object was another one: only `whole` is known.
    passed_over: bool,
}

impl<'a> ObjectView<'a> {
    /// On the heap, because it is larger than all else of a request that is moved on.
    fn read_if(wanted: bool, cursor: &mut Cursor<'a>) -> Box<Self> {
        let mut view = Box::<Self>::default();
        view.passed_over = !wanted;
        if wanted {
            view.read(cursor);
        } else {
            view.whole = cursor.value();
        }
        view
    }

    /// Reads what was passed over: a later kind counts.
    fn catch_up(&mut self) {
        if let Some(whole) = self.whole.filter(|_| self.passed_over) {
            self.read(&mut whole.cursor());
        }
    }

    fn read(&mut self, cursor: &mut Cursor<'a>) {
        self.whole = cursor.object(|key, cursor| match key {
            b"metadata" => self.metadata = MetadataView::read(cursor),
            b"spec" => self.spec = SpecView::read(cursor),
            b"tag" => self.tag = Slot::read(SlotPath::Tag, cursor),
            b"status" => self.status = cursor.value(),
            _ => {}
        });
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
            b"name" => view.name = cursor.value(),
            b"namespace" => view.namespace = cursor.value(),
            b"annotations" => view.annotations = cursor.value(),
            b"managedFields" => view.managed_fields = cursor.value(),
            b"deletionTimestamp" => view.deletion_timestamp = cursor.value(),
            _ => {}
        });
        view
    }
}

/// `spec` of an object and the slots in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpecView<'a> {
    pub(super) whole: Option<Json<'a>>,
    /// The slots of an `ImageStream`.
    pub(crate) tags: Vec<Slot<'a>>,
    /// Slots of an `ImageStreamImport`.
    pub(super) images: Vec<Slot<'a>>,
    pub(super) repository: Option<Slot<'a>>,
    /// Whether the repository stands behind the images.
    pub(super) repository_last: bool,
    pub(super) import: Option<Json<'a>>,
}

impl<'a> SpecView<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        view.whole = cursor.object(|key, cursor| match key {
            b"tags" => view.tags = numbered(SlotPath::StreamTag, cursor),
            b"images" => {
                view.images = numbered(SlotPath::Image, cursor);
                view.repository_last = false;
            }
            b"repository" => {
                view.repository = Slot::read(SlotPath::Repository, cursor);
                view.repository_last = true;
            }
            b"import" => view.import = cursor.value(),
            _ => {}
        });
        view
    }

    /// The slot of an `ImageTag`.
    pub(crate) fn slot(&self) -> Option<Slot<'a>> {
        Slot::read(SlotPath::Spec, &mut self.whole?.cursor())
    }
}

fn numbered<'a>(path: fn(usize) -> SlotPath, cursor: &mut Cursor<'a>) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    cursor.array(|index, cursor| slots.extend(Slot::read(path(index), cursor)));
    slots
}
