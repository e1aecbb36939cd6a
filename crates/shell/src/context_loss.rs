//! Limit on how often a lost graphics context is replaced.

/// Most losses within [`SPAN_S`] that are made good.
const MAX: usize = 3;
/// Time span of [`MAX`]. Unit: s.
const SPAN_S: f64 = 60.0;

/// Times of the recent context losses. Unit: s.
#[derive(Debug, Default)]
pub struct ContextLossLimiter(Vec<f64>);

impl ContextLossLimiter {
    /// Records a loss at `now_s` (s); returns whether another context is worthwhile.
    pub fn another(&mut self, now_s: f64) -> bool {
        self.0.retain(|loss_s| now_s - loss_s < SPAN_S);
        self.0.push(now_s);
        self.0.len() <= MAX
    }
}
