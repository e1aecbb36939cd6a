//! Programs that may be compiled after the first pictures.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gl::{GlError, Pending, Program, UniformSet};

/// Programs that the driver is compiling at once, besides its drawing.
const AT_ONCE: usize = 3;
/// Greatest number of programs that a frame first draws with: a software renderer compiles them once more then.
const NEW_A_FRAME: usize = 2;

/// A program that may still be missing when it is first to be drawn with; the caller then draws in another way, or
/// leaves out its effect.
pub struct DeferredProgram<U> {
    program: Rc<Program<U>>,
    missed: Rc<DeferredPrograms>,
}

impl<U: UniformSet + 'static> DeferredProgram<U> {
    /// Wraps a program that `missed` asks for once it is missed, unless it was asked for before.
    pub fn new(program: Rc<Program<U>>, missed: &Rc<DeferredPrograms>) -> Self {
        Self { program, missed: missed.clone() }
    }

    /// The program, if it is compiled. Else it counts as missed, and will be compiled.
    pub fn get(&self) -> Option<&Program<U>> {
        if !self.program.is_good() {
            self.missed.miss(self.program.clone());
        }
        self.program.is_good().then_some(&*self.program)
    }

    /// The program, waited for; `None` if it fails.
    pub fn wait(&self) -> Option<&Program<U>> {
        if !self.program.is_good() {
            self.missed.wait_for(self.program.clone());
        }
        self.program.is_good().then_some(&*self.program)
    }
}

/// Programs that pictures have lacked: the driver is asked for them in the order in which they were missed, some a
/// frame. Pictures drawn between frames, to be read back, lack none.
#[derive(Default)]
pub struct DeferredPrograms {
    /// Whether frames may lack some at all.
    pub with_deferred_compilation: bool,
    missed: RefCell<Vec<Missed>>,
    /// Times that the present frame has lacked one; `None` between frames.
    lacking: Cell<Option<u32>>,
}

struct Missed {
    program: Rc<dyn Pending>,
    state: State,
}

#[derive(PartialEq)]
enum State {
    Unasked,
    Pending,
    Refused,
}

impl DeferredPrograms {
    /// An empty list.
    pub fn new(with_deferred_compilation: bool) -> Self {
        Self { with_deferred_compilation, ..Self::default() }
    }

    /// Begins a frame: takes in the programs compiled since the last one and asks for those missed first.
    pub fn begin_frame(&self) {
        self.lacking.set(Some(0));
        let mut left = NEW_A_FRAME;
        self.missed.borrow_mut().retain_mut(|missed| {
            let is_due = missed.state == State::Pending && left > 0 && missed.program.is_answered();
            left -= usize::from(is_due);
            !(is_due && missed.settle(Pending::check))
        });
        let mut missed = self.missed.borrow_mut();
        let asked = missed.iter().filter(|missed| missed.state == State::Pending).count();
        let unasked = missed.iter_mut().filter(|missed| missed.state == State::Unasked);
        for missed in unasked.take(AT_ONCE.saturating_sub(asked)) {
            if missed.settle(Pending::ask) {
                missed.state = State::Pending;
            }
        }
    }

    /// Ends the frame; returns how often it has lacked a program.
    pub fn end_frame(&self) -> u32 {
        self.lacking.take().unwrap_or_default()
    }

    /// Forgets the missed programs: those still needed will be missed again.
    pub fn forget(&self) {
        self.missed.borrow_mut().clear();
    }

    fn miss(&self, program: Rc<dyn Pending>) {
        let Some(lacking) = self.lacking.get() else { return self.wait_for(program) };
        self.lacking.set(Some(lacking + 1));
        self.find(program, |_| {});
    }

    fn wait_for(&self, program: Rc<dyn Pending>) {
        self.find(program, |missed| {
            if missed.state != State::Refused {
                missed.settle(Pending::check);
            }
        });
    }

    /// Calls `act` with the entry of a program, added if there is none.
    fn find(&self, program: Rc<dyn Pending>, act: impl FnOnce(&mut Missed)) {
        let mut missed = self.missed.borrow_mut();
        let known = missed.iter().position(|known| Rc::as_ptr(&known.program).addr() == Rc::as_ptr(&program).addr());
        let index = known.unwrap_or_else(|| {
            missed.push(Missed { program, state: State::Unasked });
            missed.len() - 1
        });
        act(&mut missed[index]);
    }
}

impl Missed {
    /// Has the driver take the next step with it; returns whether it succeeded. A refusal is logged once.
    fn settle(&mut self, step: impl FnOnce(&(dyn Pending + 'static)) -> Result<(), GlError>) -> bool {
        let done = step(&*self.program);
        if let Err(error) = &done {
            log::warn!("{error}");
            self.state = State::Refused;
        }
        done.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the calls it gets.
    #[derive(Default)]
    struct Counted {
        asked: Cell<u32>,
        checked: Cell<u32>,
        is_bad: bool,
    }

    impl Pending for Counted {
        fn ask(&self) -> Result<(), GlError> {
            self.asked.set(self.asked.get() + 1);
            Ok(())
        }

        fn check(&self) -> Result<(), GlError> {
            self.checked.set(self.checked.get() + 1);
            let error = || GlError::Link { name: "a program".into(), log: "it is bad".into() };
            if self.is_bad { Err(error()) } else { Ok(()) }
        }
    }

    fn counts<const N: usize>(programs: &[Rc<Counted>; N]) -> [(u32, u32); N] {
        programs.each_ref().map(|program| (program.asked.get(), program.checked.get()))
    }

    #[test]
    fn what_is_missed_is_asked_for_in_turn_and_taken_in_a_few_a_frame() {
        let (missed, programs) = (DeferredPrograms::new(true), [(); 5].map(|()| Rc::new(Counted::default())));
        missed.begin_frame();
        for program in programs.iter().chain(&programs) {
            missed.miss(program.clone());
        }
        assert_eq!((missed.end_frame(), counts(&programs)), (10, [(0, 0); 5]));
        missed.begin_frame();
        assert_eq!((missed.end_frame(), counts(&programs)), (0, [(1, 0), (1, 0), (1, 0), (0, 0), (0, 0)]));
        missed.begin_frame();
        assert_eq!(counts(&programs), [(1, 1), (1, 1), (1, 0), (1, 0), (1, 0)]);
        missed.begin_frame();
        missed.begin_frame();
        assert_eq!((counts(&programs), missed.missed.borrow().len()), ([(1, 1); 5], 0));
    }

    #[test]
    fn what_is_refused_is_not_asked_for_again() {
        let (missed, bad) = (DeferredPrograms::new(true), [Rc::new(Counted { is_bad: true, ..Counted::default() })]);
        for _ in 0..4 {
            missed.begin_frame();
            missed.miss(bad[0].clone());
        }
        assert_eq!((missed.end_frame(), counts(&bad)), (1, [(1, 1)]));
        missed.miss(bad[0].clone());
        assert_eq!(counts(&bad), [(1, 1)]);
    }

    #[test]
    fn between_frames_nothing_is_lacking() {
        let (missed, program) = (DeferredPrograms::new(true), [Rc::new(Counted::default())]);
        missed.miss(program[0].clone());
        assert_eq!((missed.end_frame(), counts(&program)), (0, [(0, 1)]));
    }
}
