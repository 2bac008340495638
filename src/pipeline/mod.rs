//! See the files below.
