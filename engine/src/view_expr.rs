//! View expressions as people type them: `x.transpose(0, 1)[::2]`.
