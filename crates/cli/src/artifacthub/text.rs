//! The text of the package file.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::package::Package;
use super::yaml::{list, literal, scalar};
use crate::metadata::{Operation, Rule};

/// What stands above the file; the space at its end is `kwctl`'s.
const HEADER: &str = "# Kubewarden Artifacthub Package config\n\
    #\n\
    # Use this config to submit the policy to https://artifacthub.io.\n\
    #\n\
    # This config can be saved to its default location with:\n\
    #   kwctl scaffold artifacthub > artifacthub-pkg.yml \n";

/// Where Artifact Hub sends people who have no Kubewarden yet.
const RECOMMENDATION: &str =
    "https://artifacthub.io/packages/helm/kubewarden/kubewarden-controller";

impl fmt::Display for Package<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let annotation = |key: &str| scalar(self.get(key));
        f.write_str(HEADER)?;
        writeln!(f, "version: {}", annotation("io.kubewarden.policy.version"))?;
        writeln!(f, "name: {}", annotation("io.kubewarden.policy.title"))?;
        writeln!(
            f,
            "displayName: {}",
            annotation("io.artifacthub.displayName")
        )?;
        writeln!(f, "createdAt: {}", self.created_at)?;
        writeln!(
            f,
            "description: {}",
            annotation("io.kubewarden.policy.description")
        )?;
        writeln!(f, "license: {}", annotation("io.kubewarden.policy.license"))?;
        writeln!(f, "homeURL: {}", annotation("io.kubewarden.policy.url"))?;
        writeln!(
            f,
            "containersImages:\n- name: policy\n  image: {}",
            scalar(&self.image())
        )?;
        write!(f, "keywords:\n{}", list(&self.keywords()))?;
        f.write_str("links:\n")?;
        for (name, url) in self.links() {
            writeln!(f, "- name: {name}\n  url: {}", scalar(&url))?;
        }
        writeln!(f, "install: {}", literal(&self.install(), 1))?;
        f.write_str("maintainers:\n")?;
        for (name, email) in &self.maintainers {
            writeln!(f, "- name: {}\n  email: {}", scalar(name), scalar(email))?;
        }
        f.write_str("provider:\n  name: kubewarden\n")?;
        writeln!(f, "recommendations:\n- url: {RECOMMENDATION}")?;
        f.write_str("annotations:\n")?;
        for (key, value) in self.hub_annotations() {
            writeln!(f, "  {key}: {value}")?;
        }
        Ok(())
    }
}

impl Package<'_> {
    /// The module of the release, where `kwctl` knows how releases are laid out, and the source.
    fn links(&self) -> Vec<(&'static str, String)> {
        let source = self.get("io.kubewarden.policy.source");
        let release = source.starts_with("https://github.com/").then(|| {
            let version = self.get("io.kubewarden.policy.version");
            let module = format!("{source}/releases/download/v{version}/policy.wasm");
            ("policy", module)
        });
        let source = ("source", source.to_owned());
        release.into_iter().chain([source]).collect()
    }

    fn install(&self) -> String {
        let image = self.image();
        format!(
            "The policy can be obtained using [kwctl](https://docs.kubewarden.io/howtos/install-kwctl):\n\
             ```console\n\
             kwctl pull {image}\n\
             ```\n\
             Then, generate the policy manifest and tune it to your liking. For example:\n\
             ```console\n\
             kwctl scaffold manifest -t ClusterAdmissionPolicy registry://{image}\n\
             ```\n"
        )
    }

    fn context_aware_resources(&self) -> String {
        let resources = self.metadata.context_aware_resources.iter();
        let lines = resources.map(|resource| {
            let (version, kind) = (scalar(&resource.api_version), scalar(&resource.kind));
            format!("- apiVersion: {version}\n  kind: {kind}\n")
        });
        lines.collect()
    }

    /// The entries under `annotations`, by key.
    fn hub_annotations(&self) -> BTreeMap<&'static str, String> {
        let mut entries = BTreeMap::from([
            (
                "kubewarden/mutation",
                scalar(&self.metadata.mutating.to_string()),
            ),
            ("kubewarden/questions-ui", literal(self.questions, 2)),
            (
                "kubewarden/resources",
                scalar(self.get("io.artifacthub.resources")),
            ),
            ("kubewarden/rules", literal(&rules(&self.metadata.rules), 2)),
        ]);
        let resources = self.context_aware_resources();
        if !resources.is_empty() {
            entries.insert("kubewarden/contextAwareResources", literal(&resources, 2));
        }
        entries
    }
}

/// The rules as YAML text.
fn rules(rules: &[Rule]) -> String {
    let mut text = String::new();
    for rule in rules {
        let operations: Vec<_> = rule
            .operations
            .iter()
            .map(|operation| word(*operation))
            .collect();
        let lists = [
            ("apiGroups", &rule.api_groups),
            ("apiVersions", &rule.api_versions),
            ("resources", &rule.resources),
            ("operations", &operations),
        ];
        for (index, (key, values)) in lists.into_iter().enumerate() {
            let start = if index == 0 { "- " } else { "  " };
            let _ = writeln!(text, "{start}{key}:");
            for line in list(values).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

fn word(operation: Operation) -> String {
    match operation {
        Operation::Create => "CREATE",
        Operation::Update => "UPDATE",
        Operation::Delete => "DELETE",
        Operation::Connect => "CONNECT",
        Operation::All => "*",
    }
    .to_owned()
}
