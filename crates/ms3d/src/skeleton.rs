//! Parents of joints: the file has them by name only.

use std::collections::HashMap;

use super::raw::{Document, Text};

/// A joint's parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parent {
    /// The joint names no parent.
    Root,
    /// The joint names this one.
    Joint(usize),
    /// The joint names one that does not exist; used as a root.
    Unknown,
}

impl Parent {
    /// The parent's index, if it has one.
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Joint(index) => Some(index),
            Self::Root | Self::Unknown => None,
        }
    }
}

/// The index of joint `joint`'s parent; `None` for a root and for a name that no joint has.
///
/// The first joint of exactly the name's bytes is meant, or else the first that differs in ASCII case only; bytes,
/// because names may be in any code page. For all joints at once, [`parents`] is faster.
///
/// # Panics
/// If there is no such joint.
pub fn parent_index(document: &Document, joint: usize) -> Option<usize> {
    let name = &document.joints[joint].parent_name;
    if name.is_empty() { None } else { find_joint(document, name) }
}

/// The first joint of this name: exact bytes first, then ignoring ASCII case.
pub fn find_joint(document: &Document, name: &Text) -> Option<usize> {
    let joints = &document.joints;
    let exact = joints.iter().position(|joint| joint.name == *name);
    exact.or_else(|| joints.iter().position(|joint| joint.name.0.eq_ignore_ascii_case(&name.0)))
}

/// Every joint's parent, by the rules of [`parent_index`].
pub fn parents(document: &Document) -> Vec<Parent> {
    let mut exact = HashMap::new();
    let mut ignoring_case = HashMap::new();
    for (index, joint) in document.joints.iter().enumerate() {
        exact.entry(joint.name.as_bytes()).or_insert(index);
        ignoring_case.entry(joint.name.0.to_ascii_lowercase()).or_insert(index);
    }
    let parent = |name: &Text| {
        if name.is_empty() {
            return Parent::Root;
        }
        let found = exact.get(name.as_bytes()).or_else(|| ignoring_case.get(&name.0.to_ascii_lowercase()));
        found.map_or(Parent::Unknown, |&index| Parent::Joint(index))
    };
    document.joints.iter().map(|joint| parent(&joint.parent_name)).collect()
}

/// Joints that are their own ancestors, in file order; empty for a skeleton that can be posed.
pub fn cycles(parents: &[Parent]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnPath,
        Done,
    }
    let mut states = vec![State::New; parents.len()];
    let mut in_cycle = Vec::new();
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(joint) = next.filter(|&joint| joint < parents.len()) {
            match states[joint] {
                State::New => {
                    states[joint] = State::OnPath;
                    path.push(joint);
                    next = parents[joint].index();
                }
                State::OnPath => {
                    let first = path.iter().position(|&on_path| on_path == joint).unwrap_or(path.len());
                    in_cycle.extend(&path[first..]);
                    break;
                }
                State::Done => break,
            }
        }
        for joint in path.drain(..) {
            states[joint] = State::Done;
        }
    }
    in_cycle.sort_unstable();
    in_cycle
}

#[cfg(test)]
mod tests {
    use super::super::raw::{Joint, Keyframer, Tail};
    use super::*;

    fn skeleton(joints: &[(&[u8], &[u8])]) -> Document {
        let joint = |&(name, parent): &(&[u8], &[u8])| Joint {
            name: Text(name.into()),
            parent_name: Text(parent.into()),
            ..Default::default()
        };
        Document {
            version: 4,
            vertices: Vec::new(),
            triangles: Vec::new(),
            groups: Vec::new(),
            materials: Vec::new(),
            keyframer: Keyframer::default(),
            joints: joints.iter().map(joint).collect(),
            tail: Tail::default(),
        }
    }

    #[test]
    fn exact_names_win_over_names_in_other_case() {
        let document = skeleton(&[(b"TAIL", b""), (b"tail", b""), (b"a", b"tail"), (b"b", b"TAIL"), (b"c", b"Tail")]);
        let found: Vec<_> = (0..5).map(|joint| parent_index(&document, joint)).collect();
        assert_eq!(found, [None, None, Some(1), Some(0), Some(0)]);
    }

    #[test]
    fn names_in_a_legacy_code_page_are_compared_by_bytes() {
        // Both are shown as the same U+FFFD.
        let document = skeleton(&[(b"\xB9\xC7", b""), (b"\xB9\xC8", b""), (b"child", b"\xB9\xC8")]);
        assert_eq!(parent_index(&document, 2), Some(1));
    }

    #[test]
    fn unknown_parents_are_told_from_roots() {
        let document = skeleton(&[(b"root", b""), (b"lost", b"nobody")]);
        assert_eq!(parents(&document), [Parent::Root, Parent::Unknown]);
    }

    #[test]
    fn one_look_up_and_all_look_ups_agree() {
        let document =
            skeleton(&[(b"x", b"Y"), (b"y", b"X"), (b"Y", b"z"), (b"", b""), (b"q", b"x"), (b"q", b"Q"), (b"Q", b"")]);
        for (joint, parent) in parents(&document).iter().enumerate() {
            assert_eq!(parent.index(), parent_index(&document, joint), "{joint}");
        }
    }

    #[test]
    fn cycles_hold_their_members_only() {
        let of = |parents: &[Option<usize>]| {
            cycles(&parents.iter().map(|parent| parent.map_or(Parent::Root, Parent::Joint)).collect::<Vec<_>>())
        };
        assert_eq!(of(&[None, Some(0), Some(1)]), [0; 0]);
        assert_eq!(of(&[Some(0)]), [0]);
        assert_eq!(of(&[Some(1), Some(2), Some(1), None]), [1, 2]);
        assert_eq!(of(&[Some(1), Some(0), Some(3), Some(2), Some(0)]), [0, 1, 2, 3]);
    }
}
