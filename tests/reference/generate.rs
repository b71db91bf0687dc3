//! Random cases.
