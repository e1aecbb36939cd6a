//! A ladder of fish in a running program: recordings of the screen with ever more fish.

use std::time::Duration;

use crate::header::Facts;
use crate::host;
use crate::ladder::Rung;
use crate::live::{Finished, Length, Recording};
use crate::report::{Header, Report, RequestedLadder, RequestedRun};
use crate::run::{End, Measured, MeasuredRun, Plan};

/// Length of the recording of each rung.
pub const LENGTH: Length = Length { frames: 100, longest: Duration::from_secs(8) };

/// A ladder that is being climbed.
#[derive(Debug)]
pub struct LiveLadder {
    header: Header,
    plan: Plan,
    fish: Vec<u32>,
    rungs: Vec<Rung>,
}

impl LiveLadder {
    /// Begins below the first rung; `fish` are the numbers of fish, and `facts` are of the scene before it has any of
    /// them.
    pub fn new(facts: Facts<'_>, fish: &[u32]) -> Self {
        let plan = LENGTH.plan();
        let ladder = RequestedLadder {
            fish: fish.to_vec(),
            frames: plan.frames,
            warmup: plan.warmup_frames,
            measure_s: None,
            warmup_s: None,
        };
        let asked = RequestedRun { runs: false, ladder: Some(ladder), ..facts.asked.clone() };
        Self { header: Facts { asked, ..facts }.header(&plan), plan, fish: fish.to_vec(), rungs: Vec::new() }
    }

    /// The number of fish that is to be recorded; `None` above the last rung.
    pub fn fish(&self) -> Option<u32> {
        self.fish.get(self.rungs.len()).copied()
    }

    /// Takes in the recording with [`Self::fish`] fish among so many animals; returns whether the ladder goes on.
    pub fn climb(&mut self, animals: u64, recording: Recording, state_hash: u64) -> bool {
        let Some(fish) = self.fish() else { return false };
        let run: MeasuredRun = recording.end_run(state_hash);
        let is_whole = run.complete;
        self.rungs.push(Rung::of(fish, animals, &[run]));
        is_whole && self.fish().is_some()
    }

    /// Ends the ladder and returns it; rungs that were not reached may be missing.
    pub fn end(self) -> Finished {
        let is_whole = self.rungs.len() == self.fish.len() && self.rungs.iter().all(|rung| rung.runs > 0);
        let end = if is_whole { End::Complete } else { End::Interrupted };
        let measured = Measured { runs: Vec::new(), end };
        let mut report = Report::new(self.header, &self.plan, &measured, host::peak_memory_mib());
        report.ladder = Some(self.rungs);
        Finished { report, runs: Vec::new(), picture: None }
    }
}

#[cfg(test)]
mod tests {
    use config::Config;
    use view::StaticScene;

    use super::*;
    use crate::live::tests::{facts, frame};

    /// Report of a ladder of 1, 10 and 100 fish, optionally disturbed at one of them.
    fn climbed(disturbed: Option<u32>) -> Report {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let facts = || facts(&config, &static_scene);
        let mut ladder = LiveLadder::new(facts(), &[1, 10, 100]);
        while let Some(fish) = ladder.fish() {
            let mut recording = Recording::new(facts(), Vec::new(), LENGTH);
            let ended = (0..1000).find(|&number| recording.frame(frame(number, f64::from(fish)))).expect("it ends");
            if disturbed == Some(fish) {
                recording.disturb("the key B");
            }
            assert!(ended < 110 && (fish < 100 || ended < 90), "{ended} frames of {fish} ms");
            if !ladder.climb(u64::from(fish) + 2, recording, 7) {
                break;
            }
        }
        ladder.end().report
    }

    #[test]
    fn each_rung_is_a_recording_of_its_own() {
        let report = climbed(None);
        let rungs = report.ladder.expect("a ladder");
        let medians: Vec<_> = rungs.iter().map(|rung| (rung.fish, rung.animals, rung.runs, rung.median_ms)).collect();
        assert_eq!(medians, [(1, 3, 1, Some(1.0)), (10, 12, 1, Some(10.0)), (100, 102, 1, Some(100.0))]);
        assert!(!report.aborted && report.settings.live && !report.settings.asked.runs && report.runs.is_empty());
        assert_eq!(report.settings.asked.ladder.expect("asked for").fish, [1, 10, 100]);
    }

    #[test]
    fn a_ladder_that_is_left_says_so_and_keeps_what_it_has() {
        let report = climbed(Some(10));
        assert!(report.aborted);
        let runs: Vec<_> = report.ladder.expect("a ladder").iter().map(|rung| (rung.fish, rung.runs)).collect();
        assert_eq!(runs, [(1, 1), (10, 0)]);
    }
}
