//! The component's interface `layers`: an index that lives in an instance of its own.

use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::cluster::NoCluster;
use crate::component::bindings::Policy;
use crate::component::bindings::exports::imagestream_import_mode::policy::layers as wit;
use crate::component::{Component, Host};
use crate::door::HostError;
use crate::engine::{self, GuestError};

pub use wit::{Applied, ImageProblem, LayersError, ObjectFault, PageFault, Problem};

/// The resource `index`; every call may take as long as policy-server lets a policy.
///
/// The outer error of a call is the host's: the guest trapped or was cut off.
pub struct ComponentIndex {
    policy: Policy,
    store: Store<Host>,
    index: ResourceAny,
}

/// The resource `image-stream-layers` of an index.
pub struct ComponentAnswer<'a> {
    index: &'a mut ComponentIndex,
    answer: ResourceAny,
}

impl ComponentIndex {
    pub(crate) fn new(component: &Component) -> Result<Self, HostError> {
        let (policy, mut store) = component.instantiate(Arc::new(NoCluster))?;
        let index = policy
            .imagestream_import_mode_policy_layers()
            .index()
            .call_constructor(&mut store)
            .map_err(|error| HostError::Start(format!("{error:#}")))?;
        Ok(Self {
            policy,
            store,
            index,
        })
    }

    /// `apply`
    ///
    /// # Errors
    ///
    /// The guest failed, or does not take the Image.
    pub fn apply(&mut self, image: &str) -> Result<Result<Applied, LayersError>, GuestError> {
        self.call(|guest, store, index| guest.index().call_apply(store, index, image))
    }

    /// `delete`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn delete(&mut self, name: &str, version: Option<&str>) -> Result<bool, GuestError> {
        self.call(|guest, store, index| guest.index().call_delete(store, index, name, version))
    }

    /// `replace-all`
    ///
    /// # Errors
    ///
    /// The guest failed, or does not take the list.
    pub fn replace_all(&mut self, pages: &[String]) -> Result<Result<(), LayersError>, GuestError> {
        self.call(|guest, store, index| guest.index().call_replace_all(store, index, pages))
    }

    /// `has-synced`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn has_synced(&mut self) -> Result<bool, GuestError> {
        self.call(|guest, store, index| guest.index().call_has_synced(store, index))
    }

    /// `image-stream-layers`
    ///
    /// # Errors
    ///
    /// The guest failed, or does not take the stream.
    pub fn image_stream_layers(
        &mut self,
        stream: &str,
    ) -> Result<Result<ComponentAnswer<'_>, LayersError>, GuestError> {
        let answer = self.call(|guest, store, index| {
            guest.index().call_image_stream_layers(store, index, stream)
        })?;
        Ok(answer.map(|answer| ComponentAnswer {
            index: self,
            answer,
        }))
    }

    /// `contains`
    ///
    /// # Errors
    ///
    /// The guest failed, or does not take the stream.
    pub fn contains(
        &mut self,
        stream: &str,
        digest: &str,
    ) -> Result<Result<bool, LayersError>, GuestError> {
        self.call(|guest, store, index| guest.index().call_contains(store, index, stream, digest))
    }

    /// `images-with-layer`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn images_with_layer(&mut self, digest: &str) -> Result<Vec<String>, GuestError> {
        self.call(|guest, store, index| guest.index().call_images_with_layer(store, index, digest))
    }

    /// `parents`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn parents(&mut self, digest: &str) -> Result<Vec<String>, GuestError> {
        self.call(|guest, store, index| guest.index().call_parents(store, index, digest))
    }

    fn call<T>(
        &mut self,
        function: impl FnOnce(&wit::Guest, &mut Store<Host>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T, GuestError> {
        self.store.set_epoch_deadline(engine::DEADLINE);
        let guest = self.policy.imagestream_import_mode_policy_layers();
        function(guest, &mut self.store, self.index).map_err(GuestError::from)
    }
}

impl ComponentAnswer<'_> {
    /// `to-json`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn to_json(&mut self) -> Result<String, GuestError> {
        let answer = self.answer;
        self.index
            .call(|guest, store, _| guest.image_stream_layers().call_to_json(store, answer))
    }

    /// `contains`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn contains(&mut self, digest: &str) -> Result<bool, GuestError> {
        let answer = self.answer;
        self.index.call(|guest, store, _| {
            guest
                .image_stream_layers()
                .call_contains(store, answer, digest)
        })
    }

    /// `problems`
    ///
    /// # Errors
    ///
    /// The guest failed.
    pub fn problems(&mut self) -> Result<Vec<ImageProblem>, GuestError> {
        let answer = self.answer;
        self.index
            .call(|guest, store, _| guest.image_stream_layers().call_problems(store, answer))
    }
}

impl Drop for ComponentAnswer<'_> {
    /// A guest that trapped takes no more calls: its instance goes as a whole.
    fn drop(&mut self) {
        let answer = self.answer;
        let _ = self.index.call(|_, store, _| answer.resource_drop(store));
    }
}
