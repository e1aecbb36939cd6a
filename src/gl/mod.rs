//! Owned GL objects and nothing else.

use std::sync::Arc;

/// The GL function table, shared by every object made with it. The context itself must be current on this thread.
pub type Gl = Arc<glow::Context>;
