//! Reading of hostile bytes: no panic, no endless loop, and memory in proportion to the file.

// The counting allocator is the only way to see the memory that a refused file reserved on the way.
#![allow(unsafe_code)]

mod documents;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ms3d::raw::*;
use ms3d::{Limits, ReadError, ReadOutcome, ReadWarning, Section, skeleton, weights};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use documents::{full, without_tail};

thread_local! {
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, counting the bytes that each thread has in use.
struct Counting;

fn count(change: isize) {
    // The counters of a thread that ends may be gone.
    let _ = IN_USE.try_with(|in_use| {
        in_use.set(in_use.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(in_use.get())));
    });
}

// SAFETY: all work is the system allocator's; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the pointer came from `System.alloc` above, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Result of `work`, and the most bytes it had in use at once.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.get();
    PEAK.set(before);
    let result = work();
    (result, usize::try_from(PEAK.get() - before).expect("a peak is not below the start"))
}

/// Reads, and checks the memory in use against the file's length.
fn read(bytes: &[u8]) -> Result<ReadOutcome, ReadError> {
    let (result, peak) = measured(|| ms3d::read(bytes, &Limits::default()));
    // The widest growth: a comment without text has 8 bytes in the file and 32 in memory. The rest is for warnings.
    assert!(peak <= 4 * bytes.len() + 512, "{peak} bytes in use for {} bytes of file", bytes.len());
    result
}

/// Calls every function that takes a document that was read; none may panic.
fn use_document(outcome: &ReadOutcome) {
    let document = &outcome.document;
    for problem in ms3d::validate(document) {
        assert!(!problem.to_string().is_empty());
    }
    let parents = skeleton::parents(document);
    for (joint, parent) in parents.iter().enumerate() {
        assert_eq!(parent.index(), skeleton::parent_index(document, joint));
    }
    assert!(skeleton::cycles(&parents).len() <= parents.len());
    for influences in weights::all_influences(document) {
        let sum: f32 = influences.weights.iter().sum();
        assert!(influences.is_rest() && sum == 0.0 || (sum - 1.0).abs() < 1e-6, "{influences:?}");
        assert!(influences.joints.iter().flatten().all(|&joint| usize::from(joint) < document.joints.len()));
    }
    // Bytes are compared, not data: NaN differs from itself.
    let written = ms3d::write(document).expect("what was read can be written");
    let again = ms3d::read(&written, &Limits::default()).expect("what was written is read");
    assert_eq!(ms3d::write(&again.document).expect("what was read can be written"), written);
}

fn bytes(document: &Document) -> Vec<u8> {
    ms3d::write(document).expect("the sample can be written")
}

/// Lengths at which a full sample may end: after its joints and after each section of its tail.
fn boundaries(whole: &Document) -> [usize; 5] {
    let length = |sections: usize| {
        let mut document = whole.clone();
        let tail = std::mem::take(&mut document.tail);
        document.tail = Tail {
            comments: tail.comments.filter(|_| sections > 0),
            vertex_ex: tail.vertex_ex.filter(|_| sections > 1),
            joint_ex: tail.joint_ex.filter(|_| sections > 2),
            model_ex: tail.model_ex.filter(|_| sections > 3),
            trailing: Vec::new(),
        };
        bytes(&document).len()
    };
    [0, 1, 2, 3, 4].map(length)
}

#[test]
fn every_truncation_is_refused_or_loses_its_tail_only() {
    for sub_version in 1..=3 {
        let whole = full(sub_version);
        let whole_bytes = bytes(&whole);
        let boundaries = boundaries(&whole);
        for length in 0..=whole_bytes.len() {
            let result = read(&whole_bytes[..length]);
            if length < boundaries[0] {
                let error = result.expect_err("the mesh is not all there");
                let at = error.location().expect("a place in the file");
                assert!(at.offset <= length, "{length}: {error}");
                continue;
            }
            let outcome = result.expect("the mesh is all there");
            use_document(&outcome);
            let sections = boundaries.iter().filter(|&&boundary| boundary <= length).count() - 1;
            let tail = &outcome.document.tail;
            let present =
                [tail.comments.is_some(), tail.vertex_ex.is_some(), tail.joint_ex.is_some(), tail.model_ex.is_some()];
            assert_eq!(present, [0, 1, 2, 3].map(|section| section < sections), "{length}");
            match outcome.warnings[..] {
                [] => assert!(boundaries.contains(&length), "{length}"),
                [ReadWarning::DamagedTail { offset, dropped, .. }] => {
                    assert_eq!((offset, offset + dropped), (boundaries[sections], length));
                    assert!(dropped > 0 && tail.trailing.is_empty());
                }
                _ => panic!("{length}: {:?}", outcome.warnings),
            }
            let mesh = Document { tail: whole.tail.clone(), ..outcome.document };
            assert_eq!(mesh, whole, "{length}");
        }
    }
}

#[test]
fn mutated_files_neither_panic_nor_grow() {
    let mut random = Pcg64Mcg::seed_from_u64(0x4D53_3344);
    let samples: Vec<Vec<u8>> = [full(1), full(2), full(3), without_tail()].iter().map(bytes).collect();
    let (mut read_well, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut file = samples[random.random_range(0..samples.len())].clone();
        for _ in 0..random.random_range(1..=8) {
            mutate(&mut file, &mut random);
        }
        match read(&file) {
            Ok(outcome) => {
                read_well += 1;
                use_document(&outcome);
            }
            Err(error) => {
                refused += 1;
                let offset = error.location().map_or(0, |at| at.offset);
                assert!(offset <= file.len(), "{error} in {} bytes", file.len());
            }
        }
    }
    // Neither path may starve.
    assert!(read_well > 2_000 && refused > 2_000, "{read_well} read, {refused} refused");
}

fn mutate(file: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    if file.len() < 16 {
        return;
    }
    // Mostly past the header: a wrong magic is found at once and teaches nothing.
    let first = if random.random_bool(0.02) { 0 } else { 14 };
    let at = random.random_range(first..file.len());
    match random.random_range(0..7) {
        0 => file[at] = random.random(),
        1 => file[at] ^= 1 << random.random_range(0..8),
        2 => file[at] = 0xFF,
        3 => file[at] = 0,
        4 => file.truncate(at),
        5 => {
            let end = (at + random.random_range(1..40)).min(file.len());
            file.drain(at..end);
        }
        _ => {
            let from = random.random_range(0..file.len());
            let to = (from + random.random_range(1..200)).min(file.len());
            let piece = file[from..to].to_vec();
            file.splice(at..at, piece);
        }
    }
}

/// Sets every aligned and unaligned 16- and 32-bit field of a sample in turn to its greatest values.
#[test]
fn no_field_can_reserve_more_than_the_file_has() {
    let whole = bytes(&full(3));
    let mut refused = 0;
    for offset in 14..whole.len() {
        for patch in [&[0xFF; 2][..], &[0xFE, 0xFF], &[0xFF; 4], &[0xFF, 0xFF, 0xFF, 0x7F]] {
            let mut file = whole.clone();
            let end = (offset + patch.len()).min(whole.len());
            file[offset..end].copy_from_slice(&patch[..end - offset]);
            match read(&file) {
                Ok(outcome) => use_document(&outcome),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn limits_hold_before_memory_is_reserved() {
    let file = bytes(&full(3));
    let refusal = |edit: fn(&mut Limits)| {
        let mut limits = Limits::default();
        edit(&mut limits);
        ms3d::read(&file, &limits).map(|outcome| outcome.warnings.len()).map_err(|error| error.to_string())
    };
    assert_eq!(
        refusal(|limits| limits.file_bytes = 10),
        Err(format!("the file has {} bytes, more than the limit of 10", file.len()))
    );
    assert_eq!(
        refusal(|limits| limits.vertices = 3),
        Err("vertices (byte 14): 4 records are more than the limit of 3".into())
    );
    assert_eq!(
        refusal(|limits| limits.triangles = 1),
        Err("triangles (byte 76): 2 records are more than the limit of 1".into())
    );
    assert_eq!(
        refusal(|limits| limits.groups = 0),
        Err("groups (byte 218): 2 records are more than the limit of 0".into())
    );
    assert_eq!(
        refusal(|limits| limits.materials = 0),
        Err("materials (byte 296): 1 records are more than the limit of 0".into())
    );
    assert_eq!(
        refusal(|limits| limits.joints = 2),
        Err("joints (byte 671): 3 records are more than the limit of 2".into())
    );
    // Joint 0 has four keys, joint 1 two.
    assert_eq!(
        refusal(|limits| limits.keys = 5),
        Err("joints 1 (byte 919): 2 records are more than the limit of 1".into())
    );
    assert_eq!(refusal(|limits| limits.keys = 6), Ok(0));
    // Comments are in the tail, which is dropped.
    assert_eq!(refusal(|limits| limits.comments = 3), Ok(1));
    assert_eq!(refusal(|limits| limits.comments = 4), Ok(0));
}

/// The files are long enough for large counts, which are believed until their records make no sense.
#[test]
fn large_files_of_one_byte_stay_in_proportion() {
    for byte in [0, 1, 2, 0x7F, 0xFE, 0xFF] {
        let mut file = bytes(&Document { triangles: Vec::new(), ..without_tail() })[..14].to_vec();
        file.resize(4 << 20, byte);
        if let Ok(outcome) = read(&file) {
            assert_eq!(outcome.warnings.len(), 1);
            assert!(outcome.warnings.iter().all(|warning| warning.location().section >= Section::Comments));
        }
    }
}

proptest! {
    // A fixed seed: the same bytes on every machine.
    #![proptest_config(ProptestConfig {
        cases: 512,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_read_or_refused(body in prop::collection::vec(prop_oneof![4 => Just(0_u8), 1 => any::<u8>()], 0..2000)) {
        let mut file = b"MS3D000000\x04\0\0\0".to_vec();
        file.extend(body);
        if let Ok(outcome) = read(&file) {
            use_document(&outcome);
        }
    }
}
