//! The exported interface `layers`: the core's index in the world's types.

use std::cell::RefCell;

use imagestream_import_mode::layers::{
    Applied, Document, Image, ImageLayerIndex, ImageProblem, ImageStream, ImageStreamLayers,
    ObjectError, Problem, ReadError, ResourceVersion, read_slice,
};

use crate::bindings::Exports;
use crate::bindings::layers as wit;
use crate::bindings::layers::LayersError;

/// Implements the resource `index`.
pub(crate) struct Index(RefCell<ImageLayerIndex>);

/// Implements the resource `image-stream-layers`.
pub(crate) struct Answer(ImageStreamLayers);

impl wit::Guest for Exports {
    type Index = Index;
    type ImageStreamLayers = Answer;
}

impl wit::GuestIndex for Index {
    fn new() -> Self {
        Self(RefCell::default())
    }

    fn apply(&self, image: String) -> Result<wit::Applied, LayersError> {
        let image = Image::from_json(&image).map_err(|error| malformed_image(&error, None))?;
        Ok(match self.0.borrow_mut().apply(image) {
            Applied::Added => wit::Applied::Added,
            Applied::Replaced => wit::Applied::Replaced,
            Applied::Stale => wit::Applied::Stale,
        })
    }

    fn delete(&self, name: String, resource_version: Option<String>) -> bool {
        let version = ResourceVersion::new(&resource_version.unwrap_or_default());
        self.0.borrow_mut().delete(&name, &version)
    }

    fn replace_all(&self, pages: Vec<String>) -> Result<(), LayersError> {
        let mut index = self.0.borrow_mut();
        let mut list = Document::default();
        let mut position = 0;
        index.start_list();
        for (number, page) in pages.iter().enumerate() {
            let mut fault = None;
            let read = read_slice(page.as_bytes(), |found| {
                let image = found.into_image().inspect_err(|error| {
                    fault = Some(malformed_image(error, Some(position)));
                })?;
                index.apply_listed(image);
                position += 1;
                Ok(())
            });
            let documents =
                read.map_err(|error| fault.unwrap_or_else(|| malformed_page(number, &error)))?;
            list = documents.into_iter().next_back().unwrap_or_default();
        }
        if !list.continue_token.is_empty() {
            return Err(LayersError::IncompleteList(list.continue_token));
        }
        index.complete_list(&ResourceVersion::new(&list.resource_version));
        Ok(())
    }

    fn has_synced(&self) -> bool {
        self.0.borrow().has_synced()
    }

    fn image_stream_layers(
        &self,
        image_stream: String,
    ) -> Result<wit::ImageStreamLayers, LayersError> {
        self.answer(&image_stream)
            .map(|layers| wit::ImageStreamLayers::new(Answer(layers)))
    }

    fn contains(&self, image_stream: String, digest: String) -> Result<bool, LayersError> {
        self.answer(&image_stream)
            .map(|layers| layers.contains(&digest))
    }

    fn images_with_layer(&self, digest: String) -> Vec<String> {
        self.0.borrow().images_with_layer(&digest)
    }

    fn parents(&self, digest: String) -> Vec<String> {
        self.0.borrow().parents(&digest)
    }
}

impl Index {
    fn answer(&self, stream: &str) -> Result<ImageStreamLayers, LayersError> {
        let stream = ImageStream::from_json(stream)
            .map_err(|error| LayersError::MalformedImageStream(object_fault(&error, None)))?;
        Ok(self.0.borrow().image_stream_layers(&stream))
    }
}

impl wit::GuestImageStreamLayers for Answer {
    fn to_json(&self) -> String {
        self.0.to_json().unwrap_or_default()
    }

    fn contains(&self, digest: String) -> bool {
        self.0.contains(&digest)
    }

    fn problems(&self) -> Vec<wit::ImageProblem> {
        self.0.problems().iter().map(problem).collect()
    }
}

fn malformed_image(error: &ObjectError, position: Option<usize>) -> LayersError {
    LayersError::MalformedImage(object_fault(error, position))
}

fn malformed_page(page: usize, error: &ReadError) -> LayersError {
    LayersError::MalformedPage(wit::PageFault {
        page: number(page),
        reason: error.to_string(),
    })
}

fn object_fault(error: &ObjectError, position: Option<usize>) -> wit::ObjectFault {
    wit::ObjectFault {
        name: error.name().map(str::to_owned),
        position: position.map(number),
        reason: error.reason().to_owned(),
    }
}

fn problem(problem: &ImageProblem) -> wit::ImageProblem {
    wit::ImageProblem {
        image: problem.image.clone(),
        problem: match &problem.problem {
            Problem::EmptyConfig => wit::Problem::EmptyConfig,
            Problem::UnreadableMetadata { reason } => {
                wit::Problem::UnreadableMetadata(reason.clone())
            }
            Problem::EmptyLayer { position } => wit::Problem::EmptyLayer(number(*position)),
            Problem::EmptyManifest { position } => wit::Problem::EmptyManifest(number(*position)),
            Problem::MixedList => wit::Problem::MixedList,
        },
    }
}

/// A place in a text of this 32-bit machine always fits.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
