//! The resources that are fed.

use std::fmt;

/// A resource of `image.openshift.io/v1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Images, which belong to the cluster.
    Images,
    /// ImageStreams of all namespaces.
    ImageStreams,
}

impl Resource {
    /// The resource as URLs and rules spell it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Images => "images",
            Self::ImageStreams => "imagestreams",
        }
    }

    /// The path of the collection.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Images => "/apis/image.openshift.io/v1/images",
            Self::ImageStreams => "/apis/image.openshift.io/v1/imagestreams",
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
