//! What a document holds: requests, manifests, Lists of manifests, or something else.

use super::document::Document;
use super::error::{InputError, unusable};
use super::object::{head, objects, text, within};
use super::place::Place;
use super::subject::{Origin, Subject, subject};
use super::wrap::Wrapping;

/// One thing from the input.
#[derive(Debug)]
pub enum Item {
    /// To be decided.
    Subject(Box<Subject>),
    /// Not one of the four kinds.
    PassedOver(PassedOver),
}

/// Something that the policy would never be asked about.
#[derive(Debug)]
pub struct PassedOver {
    /// Where it stands.
    pub place: Place,
    /// Kind and name.
    pub what: String,
    /// Its JSON text.
    pub object: String,
}

/// Everything in a document.
pub fn items(document: &Document, wrapping: &Wrapping) -> Result<Vec<Item>, InputError> {
    let (place, json) = (&document.place, document.json.as_str());
    let head = head(place, document.verbatim, json)?;
    if let Some(request) = head.request {
        let place = within(document, "request", request);
        let mut subject = subject(&place, document.verbatim, Origin::Request, request.get())?;
        // Errors name the request, everything else the review.
        subject.place = document.place.clone();
        return Ok(vec![Item::Subject(Box::new(subject))]);
    }
    let kind = text(head.kind);
    if kind.as_deref() == Some("AdmissionReview") {
        return Err(unusable(
            place,
            "the AdmissionReview has no `request`; capture it as the API server sends it",
        ));
    }
    // In a request the kind is an object; some manifests have an `operation` too.
    if head.operation.is_some() && kind.is_none() {
        let subject = subject(place, document.verbatim, Origin::Request, json)?;
        return Ok(vec![Item::Subject(Box::new(subject))]);
    }
    objects(document, |object| wrapping.wrap(&object))
}
