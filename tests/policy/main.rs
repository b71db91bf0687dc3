//! The policy from outside: every case and every captured review, through the library and through
//! the three binaries.

#[cfg(test)]
mod bytes;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod component;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod module;
#[cfg(test)]
mod opa;
#[cfg(test)]
mod opa_sdk;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod support;
