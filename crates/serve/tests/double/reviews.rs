//! Who is who, and who may what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::http::refuse;
use super::{Double, wait};

#[derive(Default)]
pub struct Accounts {
    tokens: BTreeMap<String, Account>,
    /// User, namespace, stream; `*` stands for all streams of the namespace.
    rights: BTreeSet<(String, String, String)>,
}

#[derive(Clone)]
pub struct Account {
    pub user: String,
    pub audiences: Vec<String>,
}

impl Double {
    pub fn issue(&self, token: &str, user: &str) {
        let audiences = vec!["https://kubernetes.default.svc".to_owned()];
        self.issue_for(token, user, audiences);
    }

    pub fn issue_for(&self, token: &str, user: &str, audiences: Vec<String>) {
        let account = Account {
            user: user.to_owned(),
            audiences,
        };
        let mut accounts = self.accounts.lock().unwrap();
        accounts.tokens.insert(token.to_owned(), account);
    }

    pub fn expire(&self, token: &str) {
        self.accounts.lock().unwrap().tokens.remove(token);
    }

    pub fn allow(&self, user: &str, namespace: &str, name: &str) {
        self.accounts
            .lock()
            .unwrap()
            .rights
            .insert(right(user, namespace, name));
    }

    pub fn withdraw(&self, user: &str, namespace: &str, name: &str) {
        self.accounts
            .lock()
            .unwrap()
            .rights
            .remove(&right(user, namespace, name));
    }
}

fn right(user: &str, namespace: &str, name: &str) -> (String, String, String) {
    (user.to_owned(), namespace.to_owned(), name.to_owned())
}

pub async fn token(State(double): State<Arc<Double>>, Json(review): Json<Value>) -> Response {
    double.called("create", "authentication.k8s.io", "tokenreviews");
    double
        .counters
        .token_reviews
        .fetch_add(1, Ordering::Relaxed);
    wait(&double.switches.review_delay).await;
    if double.switches.review_failure.load(Ordering::Relaxed) {
        return refuse(500, "InternalError", "etcd is away");
    }
    assert_eq!(review["kind"], "TokenReview");
    assert_eq!(review["apiVersion"], "authentication.k8s.io/v1");
    let wanted: Vec<String> =
        serde_json::from_value(review["spec"]["audiences"].clone()).unwrap_or_default();
    let token = review["spec"]["token"].as_str().expect("a token");
    let accounts = double.accounts.lock().unwrap();
    let account = accounts.tokens.get(token).filter(|account| {
        wanted.is_empty()
            || wanted
                .iter()
                .any(|audience| account.audiences.contains(audience))
    });
    let status = match account {
        Some(account) => {
            let heard: Vec<&String> = account
                .audiences
                .iter()
                .filter(|audience| wanted.is_empty() || wanted.contains(audience))
                .collect();
            json!({
                "authenticated": true,
                "user": {
                    "username": account.user, "uid": format!("uid-{}", account.user),
                    "groups": ["system:authenticated"], "extra": {"origin": ["double"]}
                },
                "audiences": heard
            })
        }
        None => json!({"user": {}, "error": "[invalid bearer token, token has expired]"}),
    };
    answer(review, status)
}

pub async fn access(State(double): State<Arc<Double>>, Json(review): Json<Value>) -> Response {
    double.called("create", "authorization.k8s.io", "subjectaccessreviews");
    double
        .counters
        .access_reviews
        .fetch_add(1, Ordering::Relaxed);
    wait(&double.switches.review_delay).await;
    if double.switches.review_failure.load(Ordering::Relaxed) {
        return refuse(500, "InternalError", "etcd is away");
    }
    let spec = &review["spec"];
    let user = spec["user"].as_str().expect("a user");
    let attributes = &spec["resourceAttributes"];
    let (namespace, name) = (
        attributes["namespace"].as_str().unwrap(),
        attributes["name"].as_str().unwrap(),
    );
    assert_eq!(
        *spec,
        json!({
            "user": user, "uid": format!("uid-{user}"),
            "groups": ["system:authenticated"], "extra": {"origin": ["double"]},
            "resourceAttributes": {
                "verb": "get", "group": "image.openshift.io", "version": "v1",
                "resource": "imagestreams", "subresource": "layers",
                "namespace": namespace, "name": name
            }
        })
    );
    let rights = &double.accounts.lock().unwrap().rights;
    let allowed = [name, "*"]
        .iter()
        .any(|name| rights.contains(&right(user, namespace, name)));
    answer(review, json!({"allowed": allowed}))
}

fn answer(mut review: Value, status: Value) -> Response {
    review["status"] = status;
    (StatusCode::CREATED, Json(review)).into_response()
}
