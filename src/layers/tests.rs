//! The survey and the yes on real trees.
