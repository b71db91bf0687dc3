//! The policy from outside: every case and every captured review, through the library and through
//! the module that Kubewarden runs.

#[cfg(test)]
mod bytes;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod module;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod support;
