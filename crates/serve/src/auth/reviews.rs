//! TokenReview and SubjectAccessReview.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::authentication::v1::{
    TokenReview, TokenReviewSpec, TokenReviewStatus, UserInfo,
};
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec, SubjectAccessReviewStatus,
};
use kube::api::PostParams;
use kube::{Api, Client};
use moka::future::Cache;
use tokio::sync::Semaphore;

use super::Refusal;
use super::digest::{Key, key};
use crate::metrics::Metrics;

/// Outcomes that are kept at most.
const OUTCOMES: u64 = 10_000;

/// Reviews that may be under way at the same time: unknown tokens must not flood the API server.
const PARALLEL: usize = 32;

/// Asks the API server, once for many requests.
pub(crate) struct Reviews {
    tokens: Api<TokenReview>,
    rights: Api<SubjectAccessReview>,
    audiences: Vec<String>,
    timeout: Duration,
    permits: Semaphore,
    users: Cache<Key, Option<Arc<User>>>,
    verdicts: Cache<Key, Verdict>,
    metrics: Metrics,
}

/// Whom a token stands for.
#[derive(Debug)]
pub(crate) struct User {
    info: UserInfo,
    key: Key,
}

impl User {
    pub(super) fn name(&self) -> &str {
        self.info.username.as_deref().unwrap_or_default()
    }
}

/// Whether a user may.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) allowed: bool,
    pub(super) reason: Arc<str>,
}

impl Reviews {
    pub(super) fn new(
        client: Client,
        audiences: Vec<String>,
        keep: Duration,
        timeout: Duration,
        metrics: Metrics,
    ) -> Self {
        Self {
            tokens: Api::all(client.clone()),
            rights: Api::all(client),
            audiences,
            timeout,
            permits: Semaphore::new(PARALLEL),
            users: Cache::builder()
                .max_capacity(OUTCOMES)
                .time_to_live(keep)
                .build(),
            verdicts: Cache::builder()
                .max_capacity(OUTCOMES)
                .time_to_live(keep)
                .build(),
            metrics,
        }
    }

    /// Whom the token stands for; none if the cluster does not know it.
    pub(super) async fn user(&self, token: &str) -> Result<Option<Arc<User>>, Refusal> {
        self.users
            .try_get_with(key([token.as_bytes()]), self.review_token(token))
            .await
            .map_err(|error| Refusal::clone(&error))
    }

    /// Whether the user may get the layers of the stream.
    pub(super) async fn verdict(
        &self,
        user: &User,
        namespace: &str,
        name: &str,
    ) -> Result<Verdict, Refusal> {
        let key = key([&user.key[..], namespace.as_bytes(), name.as_bytes()]);
        self.verdicts
            .try_get_with(key, self.review_right(&user.info, namespace, name))
            .await
            .map_err(|error| Refusal::clone(&error))
    }

    async fn review_token(&self, token: &str) -> Result<Option<Arc<User>>, Refusal> {
        let review = TokenReview {
            spec: TokenReviewSpec {
                token: Some(token.to_owned()),
                audiences: (!self.audiences.is_empty()).then(|| self.audiences.clone()),
            },
            ..TokenReview::default()
        };
        let status = self.ask("token", &self.tokens, &review).await?.status;
        let user = self.user_of(status.unwrap_or_default());
        self.metrics
            .reviewed("token", if user.is_some() { "known" } else { "unknown" });
        Ok(user.map(Arc::new))
    }

    fn user_of(&self, status: TokenReviewStatus) -> Option<User> {
        let heard = status.audiences.unwrap_or_default();
        let meant =
            self.audiences.is_empty() || self.audiences.iter().any(|wanted| heard.contains(wanted));
        let info = status.user?;
        let named = info.username.as_ref().is_some_and(|name| !name.is_empty());
        if !(status.authenticated == Some(true) && meant && named) {
            return None;
        }
        let text = serde_json::to_vec(&info).ok()?;
        Some(User {
            key: key([&text[..]]),
            info,
        })
    }

    async fn review_right(
        &self,
        user: &UserInfo,
        namespace: &str,
        name: &str,
    ) -> Result<Verdict, Refusal> {
        let review = SubjectAccessReview {
            spec: SubjectAccessReviewSpec {
                user: user.username.clone(),
                uid: user.uid.clone(),
                groups: user.groups.clone(),
                extra: user.extra.clone(),
                resource_attributes: Some(ResourceAttributes {
                    namespace: Some(namespace.to_owned()),
                    name: Some(name.to_owned()),
                    verb: Some("get".to_owned()),
                    group: Some("image.openshift.io".to_owned()),
                    version: Some("v1".to_owned()),
                    resource: Some("imagestreams".to_owned()),
                    subresource: Some("layers".to_owned()),
                    ..ResourceAttributes::default()
                }),
                ..SubjectAccessReviewSpec::default()
            },
            ..SubjectAccessReview::default()
        };
        let status = self.ask("access", &self.rights, &review).await?.status;
        let verdict = Verdict::of(status.unwrap_or_default());
        self.metrics
            .reviewed("access", if verdict.allowed { "allowed" } else { "denied" });
        Ok(verdict)
    }

    async fn ask<K>(&self, review: &'static str, api: &Api<K>, object: &K) -> Result<K, Refusal>
    where
        K: Clone + serde::Serialize + serde::de::DeserializeOwned + std::fmt::Debug,
    {
        let failed = |error: &dyn std::fmt::Display| {
            self.metrics.reviewed(review, "failed");
            tracing::warn!(review, %error, "the API server cannot be asked");
            Refusal::Unavailable
        };
        let ask = async {
            let _permit = self
                .permits
                .acquire()
                .await
                .map_err(|error| failed(&error))?;
            api.create(&PostParams::default(), object)
                .await
                .map_err(|error| failed(&error))
        };
        tokio::time::timeout(self.timeout, ask)
            .await
            .unwrap_or_else(|_| Err(failed(&"it takes too long")))
    }
}

impl Verdict {
    fn of(status: SubjectAccessReviewStatus) -> Self {
        Self {
            allowed: status.allowed && status.denied != Some(true),
            reason: status.reason.unwrap_or_default().into(),
        }
    }
}
