//! A cluster whose answers are part of the input.

use std::cell::RefCell;

use imagestream_import_mode::{ClusterReader, ReadError, ResourceRef};

/// An input of `decide`: the payload, then the replies to the stream, the image config and the
/// `ClusterVersion`, each behind a zero byte. A reply that starts with `!` is the text of an error,
/// one that is missing is "not found".
#[derive(Debug, Default)]
pub struct Answers<'i> {
    /// What is decided.
    pub payload: &'i [u8],
    /// By the order of the reads.
    pub replies: [Option<&'i [u8]>; 3],
    reads: RefCell<Vec<usize>>,
}

impl<'i> Answers<'i> {
    /// Takes an input apart.
    pub fn of(input: &'i [u8]) -> Self {
        let mut parts = input.splitn(4, |byte| *byte == 0);
        let payload = parts.next().unwrap_or_default();
        Self {
            payload,
            replies: [parts.next(), parts.next(), parts.next()],
            reads: RefCell::default(),
        }
    }

    /// The reads so far, and forgets them.
    pub fn take_reads(&self) -> Vec<usize> {
        self.reads.take()
    }

    /// Which read asks for `kind`.
    pub fn index(kind: &str) -> usize {
        match kind {
            "ImageStream" => 0,
            "Image" => 1,
            "ClusterVersion" => 2,
            other => panic!("nobody may read a {other}"),
        }
    }
}

impl ClusterReader for Answers<'_> {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        let index = Self::index(resource.kind);
        self.reads.borrow_mut().push(index);
        match self.replies[index] {
            None => Err(ReadError::NotFound),
            Some([b'!', text @ ..]) => {
                let text = String::from_utf8_lossy(text);
                Err(ReadError::from_host_text(&text))
            }
            Some(text) => String::from_utf8(text.to_vec())
                .map_err(|error| ReadError::Failed(error.to_string())),
        }
    }
}
