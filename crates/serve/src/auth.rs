//! Who asks, and whether they may.
//!
//! ```text
//! Authorization: Bearer … ──TokenReview──> user ──SubjectAccessReview──> allowed
//!                          (seconds)               (seconds)
//! ```
//!
//! The right is that of the API: `get imagestreams/layers` of the stream. Outcomes hold for seconds;
//! failures of the API server are no outcomes, they are not kept and let nobody in.

mod digest;
mod reviews;

use axum::http::{HeaderMap, header};
use kube::Client;

use crate::config::Authorization;
use crate::metrics::Metrics;
use reviews::Reviews;

/// The longest token that is looked at.
const LONGEST_TOKEN: usize = 1 << 14;

/// Why a request goes no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No token, or one that the cluster does not know.
    Unauthenticated,
    /// The user lacks the right.
    Forbidden {
        /// Who asked.
        user: String,
        /// What the authoriser says, often nothing.
        reason: String,
    },
    /// The API server cannot be asked.
    Unavailable,
}

/// Decides who may ask for layers.
pub(crate) enum Authorizer {
    /// The cluster decides.
    Reviews(Box<Reviews>),
    /// Everyone may; the port is a loopback one.
    Open,
}

impl Authorizer {
    pub(crate) fn new(client: Client, authorization: &Authorization, metrics: Metrics) -> Self {
        match authorization {
            Authorization::Reviews {
                audiences,
                cache,
                timeout,
            } => Self::Reviews(Box::new(Reviews::new(
                client,
                audiences.clone(),
                *cache,
                *timeout,
                metrics,
            ))),
            Authorization::None => Self::Open,
        }
    }

    /// Whether the sender of these headers may get the layers of the stream.
    pub(crate) async fn authorize(
        &self,
        headers: &HeaderMap,
        namespace: &str,
        name: &str,
    ) -> Result<(), Refusal> {
        let reviews = match self {
            Self::Reviews(reviews) => reviews,
            Self::Open => return Ok(()),
        };
        let token = bearer(headers).ok_or(Refusal::Unauthenticated)?;
        let user = reviews.user(token).await?.ok_or(Refusal::Unauthenticated)?;
        let verdict = reviews.verdict(&user, namespace, name).await?;
        if verdict.allowed {
            return Ok(());
        }
        Err(Refusal::Forbidden {
            user: user.name().to_owned(),
            reason: verdict.reason.to_string(),
        })
    }
}

/// The token of the one `Authorization` header.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    let usable =
        scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.len() <= LONGEST_TOKEN;
    usable.then_some(token)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn token(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        bearer(&headers).map(str::to_owned)
    }

    #[test]
    fn only_one_bearer_token_counts() {
        assert_eq!(token(&["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(token(&["bearer  abc "]).as_deref(), Some("abc"));
        for values in [
            &[][..],
            &[""],
            &["abc"],
            &["Bearer"],
            &["Bearer "],
            &["Basic abc"],
            &["Bearer abc", "Bearer abc"],
            &[&format!("Bearer {}", "a".repeat(LONGEST_TOKEN + 1))],
        ] {
            assert_eq!(token(values), None, "{values:?}");
        }
    }
}
