//! How often the graphics context is lost.

/// So many losses within [`SPAN_S`] are made good.
const MAX: usize = 3;
/// See [`MAX`]. Unit: s.
const SPAN_S: f64 = 60.0;

/// When it was lost.
#[derive(Debug, Default)]
pub struct ContextLossLimiter(Vec<f64>);

impl ContextLossLimiter {
    /// It was lost at `now_s` (s); tells whether another one is worth while.
    pub fn another(&mut self, now_s: f64) -> bool {
        self.0.retain(|loss_s| now_s - loss_s < SPAN_S);
        self.0.push(now_s);
        self.0.len() <= MAX
    }
}
