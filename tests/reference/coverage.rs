//! Which cells of the tables a decision went through.
