//! Objects of the cluster in OPA's `data` document.

use imagestream_import_mode::json_object::json_at;
use imagestream_import_mode::{ClusterReader, ReadError, ResourceRef};

/// The key of `data` that holds the cluster's objects; every other key is a setting.
pub(crate) const KUBERNETES: &str = "kubernetes";

/// The objects of `data.kubernetes`: `<plural>.<name>` or `<plural>.<namespace>.<name>`.
///
/// A host that may not list a kind, or finds none, leaves its plural out: the read failed. A plural
/// without the object says that the object does not exist.
pub(crate) struct DataCluster<'a> {
    /// The whole document; JSON.
    pub(crate) data: &'a str,
}

impl ClusterReader for DataCluster<'_> {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        let plural = format!("{}s", resource.kind.to_ascii_lowercase());
        let objects = json_at(self.data, &[KUBERNETES, &plural])
            .filter(|objects| objects.starts_with('{'))
            .ok_or_else(|| ReadError::Failed(format!("no `data.{KUBERNETES}.{plural}`")))?;
        let object = match resource.namespace {
            Some(namespace) => json_at(objects, &[namespace, resource.name]),
            None => json_at(objects, &[resource.name]),
        };
        let object = object.ok_or(ReadError::NotFound)?;
        if is_of_another_group(resource, object) {
            return Err(ReadError::Failed(format!(
                "`data.{KUBERNETES}.{plural}` holds objects of another API group"
            )));
        }
        Ok(object.to_owned())
    }
}

/// `images` is the plural of two kinds: of `config.openshift.io` and of `image.openshift.io`.
fn is_of_another_group(resource: &ResourceRef<'_>, object: &str) -> bool {
    let group = |api_version: &str| api_version.split('/').next().map(str::to_owned);
    let found =
        json_at(object, &["apiVersion"]).and_then(|text| serde_json::from_str::<String>(text).ok());
    resource.kind == "Image"
        && found.as_deref().and_then(group) != group(resource.api_version)
        && object.starts_with('{')
}

#[cfg(test)]
mod tests {
    use imagestream_import_mode::cluster::{CLUSTER_VERSION, IMAGE_CONFIG, image_stream};

    use super::*;

    fn read(data: &str, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        DataCluster { data }.get_resource(resource)
    }

    fn failed<T>(text: &str) -> Result<T, ReadError> {
        Err(ReadError::Failed(text.to_owned()))
    }

    #[test]
    fn an_object_is_found_by_plural_and_name() {
        let data = r#"{"kubernetes": {"clusterversions": {"version": {"a": 1}}, "imagestreams": {"n": {"s": {"b": 2}}}}}"#;
        assert_eq!(read(data, &CLUSTER_VERSION), Ok(r#"{"a": 1}"#.to_owned()));
        assert_eq!(
            read(data, &image_stream("n", "s")),
            Ok(r#"{"b": 2}"#.to_owned())
        );
    }

    #[test]
    fn a_plural_without_the_object_is_an_answer_and_no_plural_is_none() {
        let data = r#"{"kubernetes": {"clusterversions": {}, "imagestreams": {"other": {}}}}"#;
        assert_eq!(read(data, &CLUSTER_VERSION), Err(ReadError::NotFound));
        assert_eq!(
            read(data, &image_stream("n", "s")),
            Err(ReadError::NotFound)
        );
        assert_eq!(
            read(data, &IMAGE_CONFIG),
            failed("no `data.kubernetes.images`")
        );
        assert_eq!(
            read("{}", &CLUSTER_VERSION),
            failed("no `data.kubernetes.clusterversions`")
        );
        assert_eq!(
            read(r#"{"kubernetes": {"images": []}}"#, &IMAGE_CONFIG),
            failed("no `data.kubernetes.images`")
        );
    }

    #[test]
    fn container_images_are_not_the_image_config() {
        let of = |api_version: &str| {
            format!(r#"{{"kubernetes": {{"images": {{"cluster": {{{api_version}}}}}}}}}"#)
        };
        let other = failed("`data.kubernetes.images` holds objects of another API group");
        let api_version = r#""apiVersion": "image.openshift.io/v1""#;
        assert_eq!(read(&of(api_version), &IMAGE_CONFIG), other);
        assert_eq!(read(&of(""), &IMAGE_CONFIG), other);
        let api_version = r#""apiVersion": "config.openshift.io\/v1""#;
        assert_eq!(
            read(&of(api_version), &IMAGE_CONFIG),
            Ok(format!("{{{api_version}}}"))
        );
    }
}
