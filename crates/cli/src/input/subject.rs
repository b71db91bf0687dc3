//! Admission requests, ready to be decided.

use imagestream_import_mode_host::{Request, RequestError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{blame, misfit};
use super::error::{InputError, unusable};
use super::object::full_name;
use super::place::Place;

/// One admission request.
#[derive(Debug)]
pub struct Subject {
    /// Where it stands.
    pub place: Place,
    /// How the input held it.
    pub origin: Origin,
    /// Kind, as the request says.
    pub kind: String,
    /// `namespace/name`, as far as there are such.
    pub name: String,
    /// CREATE, UPDATE and so on.
    pub operation: String,
    /// Who asks; empty for manifests.
    pub user: String,
    /// The AdmissionRequest as JSON text.
    pub json: String,
    /// The same as Kubewarden hands it to the policy.
    pub request: Request,
    /// Text of its `object`.
    pub object: Option<String>,
}

/// How the input held a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// As an AdmissionReview or AdmissionRequest.
    Request,
    /// As a manifest.
    Manifest,
    /// As an object that a server has stored.
    Stored,
}

/// An AdmissionRequest as a subject.
pub fn subject(
    place: &Place,
    verbatim: bool,
    origin: Origin,
    json: &str,
) -> Result<Subject, InputError> {
    #[derive(Deserialize)]
    struct Object<'a> {
        #[serde(borrow)]
        object: Option<&'a RawValue>,
    }
    let request = Request::from_json(json.as_bytes()).map_err(|error| match error {
        RequestError::NotJson(error) | RequestError::DoesNotFit(error) => {
            let (place, message) = blame(place, verbatim, &error);
            unusable(
                &place,
                &format!("not an AdmissionRequest: {message}; policy-server would answer 422"),
            )
        }
        RequestError::NoRequest => unusable(place, "the AdmissionReview has no `request`"),
    })?;
    let object: Object<'_> =
        serde_json::from_str(json).map_err(|error| misfit(place, verbatim, &error))?;
    let field = |pointer: &str| {
        let value = request.value().pointer(pointer);
        let text = value.and_then(serde_json::Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let or_metadata = |key: &str| {
        let own = field(&format!("/{key}"));
        if own.is_empty() {
            field(&format!("/object/metadata/{key}"))
        } else {
            own
        }
    };
    Ok(Subject {
        place: place.clone(),
        origin,
        kind: field("/kind/kind"),
        name: full_name(&or_metadata("namespace"), &or_metadata("name")),
        operation: field("/operation"),
        user: field("/userInfo/username"),
        json: json.to_owned(),
        object: object.object.map(|object| object.get().to_owned()),
        request,
    })
}
