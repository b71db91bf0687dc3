//! What the documentation, the manifests and the release files say holds for the code.

mod commands;
mod distribution;
mod e2e;
mod fences;
mod links;
mod manifests;
mod messages;
mod support;
