//! A dump of a made-up cluster, written while it is read.

use std::fmt::Write;
use std::io;

/// Layers of each image.
pub const LAYERS: usize = 30;

/// An `ImageList` of images with [`LAYERS`] layers each, three images to a layer on average.
pub struct Dump {
    images: usize,
    next: usize,
    pending: String,
    read: usize,
}

impl Dump {
    pub fn new(images: usize) -> Self {
        Self {
            images,
            next: 0,
            pending: r#"{"kind":"ImageList","apiVersion":"image.openshift.io/v1","metadata":{"resourceVersion":"1"},"items":["#
                .to_owned(),
            read: 0,
        }
    }

    pub fn into_text(mut self) -> String {
        let mut text = String::new();
        while !self.pending.is_empty() {
            text.push_str(&self.pending);
            self.advance();
        }
        text
    }

    fn advance(&mut self) {
        self.pending.clear();
        self.read = 0;
        if self.next < self.images {
            if self.next > 0 {
                self.pending.push(',');
            }
            write_image(&mut self.pending, self.next, self.images);
            self.next += 1;
        } else if self.next == self.images {
            self.pending.push_str("]}");
            self.next += 1;
        }
    }
}

impl io::Read for Dump {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.pending.len() {
            self.advance();
        }
        let rest = &self.pending.as_bytes()[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

fn write_image(text: &mut String, number: usize, images: usize) {
    let name = digest("image", number);
    let config = digest("config", number);
    write!(
        text,
        r#"{{"metadata":{{"name":"{name}","uid":"5c0c11a0-0000-4000-8000-000000000000","resourceVersion":"{}","creationTimestamp":"2026-01-15T10:00:00Z","annotations":{{"image.openshift.io/dockerLayersOrder":"ascending"}}}},"dockerImageReference":"registry.example.com/demo/app@{name}","dockerImageMetadata":{{"kind":"DockerImage","apiVersion":"image.openshift.io/1.0","Id":"{config}","Created":"2026-01-15T10:00:00Z","ContainerConfig":{{}},"Config":{{"User":"1001","ExposedPorts":{{"8080/tcp":{{}}}},"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin","LANG=C.UTF-8"],"Labels":{{"io.k8s.description":"a made-up image with labels of the usual length","vendor":"Example"}}}},"Architecture":"amd64","Size":123456789}},"dockerImageMetadataVersion":"1.0","dockerImageManifestMediaType":"application/vnd.docker.distribution.manifest.v2+json","dockerImageLayers":["#,
        number + 2
    )
    .expect("a string takes everything");
    for place in 0..LAYERS {
        let separator = if place == 0 { "" } else { "," };
        let layer = scatter(number * LAYERS + place) % (images * 10);
        write!(
            text,
            r#"{separator}{{"name":"{}","size":{},"mediaType":"application/vnd.docker.image.rootfs.diff.tar.gzip"}}"#,
            digest("layer", layer),
            1000 + layer
        )
        .expect("a string takes everything");
    }
    text.push_str("]}");
}

/// A digest that is spread as real ones are.
pub fn digest(kind: &str, number: usize) -> String {
    let mut word = kind
        .bytes()
        .fold(number, |word, byte| scatter(word ^ usize::from(byte)));
    let mut text = "sha256:".to_owned();
    for _ in 0..4 {
        word = scatter(word);
        write!(text, "{word:016x}").expect("a string takes everything");
    }
    text
}

/// The finisher of splitmix64.
fn scatter(number: usize) -> usize {
    let mut word = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
