//! Names of repositories, compared as registries and container tools read them.

/// Repositories, and everything below them, that come from a mirror.
#[derive(Debug)]
pub struct Mirrored {
    entries: Vec<(String, String)>,
}

impl Mirrored {
    /// Reads one entry a line; `#` starts a comment.
    pub fn parse(text: &str) -> Self {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim());
        let entries = lines
            .filter(|line| !line.is_empty())
            .map(|line| (normalised(line), line.to_owned()))
            .collect();
        Self { entries }
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The longest entry that `image` belongs to, as it was written.
    pub fn entry_of(&self, image: &str) -> Option<&str> {
        let image = normalised(image);
        let matching = self.entries.iter().filter(|(entry, _)| {
            let rest = image.strip_prefix(entry.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        matching
            .max_by_key(|(entry, _)| entry.len())
            .map(|(_, written)| written.as_str())
    }
}

/// Registry and path without tag and digest; `app` is `docker.io/library/app`.
fn normalised(image: &str) -> String {
    let image = image.trim_start_matches("docker://").trim_end_matches('/');
    let (name, _) = image.split_once('@').unwrap_or((image, ""));
    let path = name.rfind('/').map_or(0, |slash| slash + 1);
    let is_host = |part: &str| part.contains(['.', ':']) || part == "localhost";
    // A colon in the only part is a port if a registry is named alone, as mirror lists do, else a tag.
    let tag = name.rfind(':').filter(|colon| *colon > path);
    let name = match tag {
        Some(colon) if path > 0 || !name.get(..colon).is_some_and(is_host) => {
            name.get(..colon).unwrap_or(name)
        }
        _ => name,
    };
    let host = name.split('/').next().unwrap_or_default();
    match (is_host(host), name.contains('/')) {
        (true, _) => name.to_owned(),
        (false, true) => format!("docker.io/{name}"),
        (false, false) => format!("docker.io/library/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_tag_and_digest() {
        for (image, name) in [
            ("quay.io/org/app:1", "quay.io/org/app"),
            ("quay.io/org/app@sha256:ab", "quay.io/org/app"),
            ("quay.io/org/app:1@sha256:ab", "quay.io/org/app"),
            ("registry:5000/app:1", "registry:5000/app"),
            ("registry.example.com:5000", "registry.example.com:5000"),
            ("quay.io", "quay.io"),
            ("localhost/app", "localhost/app"),
            ("org/app:1", "docker.io/org/app"),
            ("app:1", "docker.io/library/app"),
            ("docker://quay.io/app", "quay.io/app"),
        ] {
            assert_eq!(normalised(image), name, "{image}");
        }
    }

    #[test]
    fn an_entry_stands_for_what_is_below_it() {
        let mirrored =
            Mirrored::parse("quay.io/org # ours\n\nquay.io/org/deep/app\nregistry.redhat.io/\n");
        assert_eq!(mirrored.entry_of("quay.io/org/app:1"), Some("quay.io/org"));
        assert_eq!(
            mirrored.entry_of("quay.io/org/deep/app:1"),
            Some("quay.io/org/deep/app")
        );
        assert_eq!(mirrored.entry_of("quay.io/organisation/app"), None);
        assert_eq!(
            mirrored.entry_of("registry.redhat.io/ubi9:1"),
            Some("registry.redhat.io/")
        );
        assert_eq!(mirrored.entry_of("app"), None);
        assert!(Mirrored::parse("# nothing\n").is_empty());
    }
}
