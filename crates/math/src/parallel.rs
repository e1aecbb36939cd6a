//! Parallel work through a fork-join callback that the caller supplies.

/// Callback that runs both functions and returns when both are done; in parallel if there are threads.
pub type Join = fn(&mut (dyn FnMut() + Send), &mut (dyn FnMut() + Send));

/// A [`Join`] without threads.
pub fn serial(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    first();
    second();
}

/// Callback that runs the first function on other threads, if there are any, and the second on the caller's; returns
/// when both are done.
pub type Beside = fn(&mut (dyn FnMut() + Send), &mut dyn FnMut());

/// A [`Beside`] without threads.
pub fn in_turn(beside: &mut (dyn FnMut() + Send), here: &mut dyn FnMut()) {
    here();
    beside();
}

/// Returns the result of `here`, which runs on this thread, while `work` runs on others, if there are any.
pub fn beside<T>(by: Beside, work: impl FnOnce() + Send, here: impl FnOnce() -> T) -> T {
    let (mut work, mut here, mut result) = (Some(work), Some(here), None);
    let work = &mut || {
        if let Some(work) = work.take() {
            work();
        }
    };
    by(work, &mut || result = result.take().or_else(|| here.take().map(|here| here())));
    result.expect("both are called")
}

/// Returns the results of both functions, run in parallel if there are threads.
pub fn both<A: Send, B: Send>(
    join: Join,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut first, mut second) = (Some(first), Some(second));
    let (mut a, mut b) = (None, None);
    join(&mut || a = a.take().or_else(|| first.take().map(|first| first())), &mut || {
        b = b.take().or_else(|| second.take().map(|second| second()));
    });
    (a.expect("a join calls both"), b.expect("a join calls both"))
}

/// Calls `work` with each part of `items`, of at most `part` items, and the index of the part's first item.
///
/// The result is the same with any [`Join`] as long as no part depends on another.
pub fn par_chunks<T: Send>(join: Join, items: &mut [T], part: usize, work: &(impl Fn(usize, &mut [T]) + Sync)) {
    split(join, 0, items, part.max(1), work);
}

/// Calls `work` with each of `items` and its index, each a part of its own.
///
/// The result is the same with any [`Join`] as long as no item depends on another.
pub fn par_each<T: Send>(join: Join, items: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    par_chunks(join, items, 1, &|first, part| {
        for (index, item) in (first..).zip(part) {
            work(index, item);
        }
    });
}

fn split<T: Send>(join: Join, first: usize, items: &mut [T], part: usize, work: &(impl Fn(usize, &mut [T]) + Sync)) {
    if items.len() <= part {
        return work(first, items);
    }
    let middle = items.len().div_ceil(2 * part) * part;
    let (left, right) = items.split_at_mut(middle);
    join(&mut || split(join, first, left, part, work), &mut || split(join, first + middle, right, part, work));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_both_gives_its_own() {
        assert_eq!(both(serial, || 1, || "two"), (1, "two"));
        assert_eq!(both(|first, second| serial(second, first), || 1, || "two"), (1, "two"));
    }

    #[test]
    fn work_beside_is_done_when_the_result_is_there() {
        let mut done = 0;
        assert_eq!(beside(in_turn, || done += 1, || "here"), "here");
        assert_eq!(done, 1);
    }

    #[test]
    fn each_item_is_worked_on_once() {
        let mut items = vec![1; 100];
        par_each(|first, second| serial(second, first), &mut items, &|index, item| *item += index);
        assert!(items.iter().enumerate().all(|(index, item)| *item == index + 1));
    }

    #[test]
    fn every_item_is_in_one_part_and_knows_its_place() {
        for (count, part) in [(0, 4), (1, 4), (4, 4), (5, 4), (1000, 7), (1000, 0)] {
            let mut items = vec![0; count];
            par_chunks(serial, &mut items, part, &|first, items: &mut [usize]| {
                assert!(items.len() <= part.max(1));
                items.iter_mut().enumerate().for_each(|(i, item)| *item += first + i + 1);
            });
            assert!(items.iter().enumerate().all(|(i, item)| *item == i + 1), "{count} by {part}");
        }
    }
}
