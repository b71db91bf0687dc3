//! What the documentation, the manifests and the release files say holds for the code.

#[cfg(test)]
mod artifacthub;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod distribution;
#[cfg(test)]
mod e2e;
#[cfg(test)]
mod fences;
#[cfg(test)]
mod links;
#[cfg(test)]
mod manifests;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod policies;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod support;
#[cfg(test)]
mod workflows;
