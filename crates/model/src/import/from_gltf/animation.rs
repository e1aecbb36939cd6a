//! Animations as keys of joints and morphs, one after another on one time line.

use std::collections::BTreeSet;

use glam::{Quat, Vec3, Vec4};

use super::accessor::Accessors;
use super::document::{Animation, Document, Interpolation, Sampler};
use super::morphs::Targets;
use super::rig::{AtRest, Driven};
use super::tree::Place;
use crate::import::clips::Motion;
use crate::{Joint, Morphs};

/// Pause between two animations on the time line. Unit: s.
const GAP_S: f32 = 1.0;
/// Keys a second that replace a cubic spline, and frames a second of all animations.
pub(super) const FPS: f32 = 60.0;
/// Latest time of a key that is used: eleven days. Unit: s.
const LATEST_KEY_S: f32 = 1e6;
/// Change of a place, a weight or a rotation's cosine that is none.
const STILL: f32 = 1e-6;
/// Change of a scale that is none: the rounding of exporters.
const STILL_SCALE: f32 = 1e-4;
/// Most keys that all cubic splines together may be turned into.
pub(super) const MAX_KEYS: usize = 4 << 20;

/// The animations, read.
pub(super) struct Animations {
    /// Range of each on the time line.
    pub motions: Vec<Motion>,
    /// Names of those that move nothing, which are no clips: a pose, such as a T-pose.
    pub still: Vec<String>,
    tracks: Vec<Vec<Track>>,
}

/// Motion of a node in one animation.
pub(super) struct Track {
    pub node: usize,
    /// Keys, timed from the beginning of the animation. Unit: s.
    pub values: Values,
}

pub(super) enum Values {
    Translations(Vec<(f32, Vec3)>),
    Rotations(Vec<(f32, Quat)>),
    Scales(Vec<(f32, Vec3)>),
    /// Weights of each morph target.
    Weights(Vec<Vec<(f32, f32)>>),
}

/// Reads all animations.
pub(super) fn animations(document: &Document, accessors: &mut Accessors<'_>) -> Result<Animations, String> {
    let mut found = Animations { motions: Vec::new(), still: Vec::new(), tracks: Vec::new() };
    let mut keys_left = MAX_KEYS;
    let mut all = Vec::with_capacity(document.animations.len());
    for (index, animation) in document.animations.iter().enumerate() {
        all.push(Track::all(index, animation, document, accessors, &mut keys_left)?);
    }
    let any_moves = all.iter().flatten().any(Track::changes);
    let mut start_s = 0.0;
    for (index, (animation, mut tracks)) in document.animations.iter().zip(all).enumerate() {
        let name = free_name(animation, index, &found.motions);
        let is_pose = !tracks.iter().any(Track::changes);
        // A pose that is all there is may be how the file is meant to stand.
        if is_pose && (any_moves || tracks.iter().all(|track| track.is_at_rest(document))) {
            found.still.push(name);
            continue;
        }
        let (first, last) = extent(&tracks);
        tracks.iter_mut().for_each(|track| track.shift(-first));
        let end_s = start_s + (last - first).max(1.0 / FPS);
        found.motions.push(Motion { name, start_s, end_s, fps: FPS });
        found.tracks.push(tracks);
        start_s = end_s + GAP_S;
    }
    Ok(found)
}

/// Number of morph targets of a node's mesh.
fn targets_of(document: &Document, node: usize) -> usize {
    let mesh = document.nodes[node].mesh.and_then(|mesh| document.meshes.get(mesh));
    let of_primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.targets.len());
    of_primitives.max().unwrap_or(0)
}

fn free_name(animation: &Animation, index: usize, motions: &[Motion]) -> String {
    let base = if animation.name.is_empty() { format!("animation_{index}") } else { animation.name.clone() };
    let is_free = |name: &String| motions.iter().all(|motion| motion.name != *name);
    let mut names = (2..).map(|number| format!("{base}_{number}"));
    if is_free(&base) { base } else { names.find(is_free).unwrap_or_default() }
}

impl Animations {
    /// The tracks of all animations.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> {
        self.tracks.iter().flatten()
    }

    /// Whether any animation takes the scale of a node from what it is `at_rest`.
    pub fn change_scale(&self, node: usize, at_rest: Vec3) -> bool {
        let allowed = STILL_SCALE * at_rest.abs().max(Vec3::ONE);
        let tracks = self.tracks.iter().flatten().filter(|track| track.node == node);
        let mut keys = tracks.filter_map(|track| track.values.scales()).flatten();
        keys.any(|(_, scale)| !(*scale - at_rest).abs().cmple(allowed).all())
    }

    /// Keys of every morph target, relative to its weight at rest; none for targets that no animation changes.
    pub fn morph_keys(&self, targets: &Targets) -> Vec<Vec<(f32, f32)>> {
        let mut all = vec![Vec::new(); targets.names.len()];
        let changed: BTreeSet<usize> = self.tracks.iter().flatten().filter_map(Track::changes_weights).collect();
        for node in changed {
            let Some((first, at_rest)) = targets.of(node) else { continue };
            for (number, (keys, &at_rest)) in all[first..].iter_mut().zip(at_rest).enumerate() {
                for (motion, tracks) in self.motions.iter().zip(&self.tracks) {
                    let mut of_node = tracks.iter().filter(|track| track.node == node);
                    let own = of_node.find_map(|track| track.values.weights()?.get(number)).map(Vec::as_slice);
                    keys.extend(placed(motion, own, at_rest, |to| to - at_rest));
                }
            }
        }
        all
    }

    /// Adds to `joint` the keys of all animations, in order of time.
    pub fn add_keys(&self, driven: &Driven, joint: &mut Joint) {
        for (motion, tracks) in self.motions.iter().zip(&self.tracks) {
            let of_node = tracks.iter().filter(|track| track.node == driven.node).map(|track| &track.values);
            match driven.at_rest {
                AtRest::Scaled(scale) => {
                    let scales = of_node.filter_map(Values::scales).next();
                    joint.scale_keys.extend(placed(motion, scales, scale, |to| to));
                }
                AtRest::Turned { translation, rotation } => {
                    let to_joint = rotation.inverse();
                    let translations = of_node.clone().filter_map(Values::translations).next();
                    let moved = placed(motion, translations, translation, |to| to_joint * (to - translation));
                    joint.translation_keys.extend(moved);
                    let rotations = of_node.filter_map(Values::rotations).next();
                    joint.rotation_keys.extend(placed(motion, rotations, rotation, |to| to_joint * to));
                }
            }
        }
    }
}

/// Keys on the time line, converted by `of_joint`; in an animation without keys the value at rest.
fn placed<T: Copy>(motion: &Motion, keys: Option<&[(f32, T)]>, at_rest: T, of_joint: impl Fn(T) -> T) -> Vec<(f32, T)> {
    match keys {
        Some(keys) => keys.iter().map(|&(time_s, to)| (motion.start_s + time_s, of_joint(to))).collect(),
        None => [motion.start_s, motion.end_s].map(|time_s| (time_s, of_joint(at_rest))).to_vec(),
    }
}

impl Values {
    pub fn translations(&self) -> Option<&[(f32, Vec3)]> {
        if let Self::Translations(keys) = self { Some(keys) } else { None }
    }

    pub fn rotations(&self) -> Option<&[(f32, Quat)]> {
        if let Self::Rotations(keys) = self { Some(keys) } else { None }
    }

    fn scales(&self) -> Option<&[(f32, Vec3)]> {
        if let Self::Scales(keys) = self { Some(keys) } else { None }
    }

    fn weights(&self) -> Option<&[Vec<(f32, f32)>]> {
        if let Self::Weights(keys) = self { Some(keys) } else { None }
    }
}

impl Track {
    /// The tracks of an animation, whose number in the file is `index`.
    pub fn all(
        index: usize,
        animation: &Animation,
        document: &Document,
        accessors: &mut Accessors<'_>,
        keys_left: &mut usize,
    ) -> Result<Vec<Self>, String> {
        let mut tracks = Vec::new();
        for (channel, at) in animation.channels.iter().zip(0..) {
            let told = |why: String| format!("animations[{index}].channels[{at}] {why}");
            let Some(node) = channel.target.node else { continue };
            if node >= document.nodes.len() {
                return Err(told(format!("moves node {node} of {}", document.nodes.len())));
            }
            let sampler = animation.samplers.get(channel.sampler);
            let sampler =
                sampler.ok_or_else(|| told(format!("names sampler {}, which is not there", channel.sampler)))?;
            let values = match channel.target.path.as_str() {
                "translation" => keys(accessors, sampler, keys_left).map(|keys| Values::Translations(vectors(keys))),
                "scale" => keys(accessors, sampler, keys_left).map(|keys| Values::Scales(vectors(keys))),
                "rotation" => keys(accessors, sampler, keys_left).map(rotations),
                "weights" => weights(accessors, sampler, targets_of(document, node), keys_left).map(Values::Weights),
                _ => continue,
            };
            tracks.push(Track { node, values: values.map_err(told)? });
        }
        Ok(tracks)
    }

    fn shift(&mut self, by_s: f32) {
        match &mut self.values {
            Values::Translations(keys) | Values::Scales(keys) => keys.iter_mut().for_each(|key| key.0 += by_s),
            Values::Rotations(keys) => keys.iter_mut().for_each(|key| key.0 += by_s),
            Values::Weights(keys) => keys.iter_mut().flatten().for_each(|key| key.0 += by_s),
        }
    }

    fn times(&self) -> [Option<f32>; 2] {
        match &self.values {
            Values::Translations(keys) | Values::Scales(keys) => {
                [keys.first().map(|key| key.0), keys.last().map(|key| key.0)]
            }
            Values::Rotations(keys) => [keys.first().map(|key| key.0), keys.last().map(|key| key.0)],
            Values::Weights(of_targets) => {
                let keys = of_targets.first();
                [keys.and_then(|keys| keys.first()), keys.and_then(|keys| keys.last())].map(|key| key.map(|key| key.0))
            }
        }
    }

    /// Whether its keys differ.
    fn changes(&self) -> bool {
        match &self.values {
            Values::Translations(keys) => differ(keys, |a, b| a.distance(b) > STILL),
            Values::Scales(keys) => differ(keys, |a, b| a.distance(b) > STILL_SCALE),
            Values::Rotations(keys) => differ(keys, |a, b| a.dot(b).abs() < 1.0 - STILL),
            Values::Weights(of_targets) => of_targets.iter().any(|keys| differ(keys, |a, b| (a - b).abs() > STILL)),
        }
    }

    /// Whether its first keys are what its node has at rest.
    fn is_at_rest(&self, document: &Document) -> bool {
        let (scale, rotation, translation) = Place::of(&document.nodes[self.node]).parts();
        match &self.values {
            Values::Translations(keys) => keys.first().is_none_or(|key| key.1.distance(translation) <= STILL),
            Values::Scales(keys) => keys.first().is_none_or(|key| key.1.distance(scale) <= STILL_SCALE),
            Values::Rotations(keys) => keys.first().is_none_or(|key| key.1.dot(rotation).abs() >= 1.0 - STILL),
            Values::Weights(_) => false,
        }
    }

    /// The node, if it changes the weights of its morph targets.
    fn changes_weights(&self) -> Option<usize> {
        self.values.weights().map(|_| self.node)
    }
}

/// Whether any key differs from the first.
fn differ<T: Copy>(keys: &[(f32, T)], are_apart: impl Fn(T, T) -> bool) -> bool {
    keys.first().is_some_and(|&(_, first)| keys.iter().any(|&(_, value)| are_apart(first, value)))
}

/// First and last moment of an animation.
fn extent(tracks: &[Track]) -> (f32, f32) {
    let times = || tracks.iter().flat_map(Track::times).flatten();
    let first = times().reduce(f32::min).unwrap_or(0.0);
    (first, times().fold(first, f32::max))
}

fn vectors(keys: Vec<(f32, Vec4)>) -> Vec<(f32, Vec3)> {
    keys.into_iter().map(|(time_s, value)| (time_s, value.truncate())).collect()
}

fn rotations(keys: Vec<(f32, Vec4)>) -> Values {
    let turned = |value: Vec4| Quat::from_vec4(value.try_normalize().unwrap_or(Vec4::W));
    Values::Rotations(keys.into_iter().map(|(time_s, value)| (time_s, turned(value))).collect())
}

/// The keys of a sampler for linear interpolation, with values of up to four numbers.
fn keys(accessors: &mut Accessors<'_>, sampler: &Sampler, keys_left: &mut usize) -> Result<Vec<(f32, Vec4)>, String> {
    let times = times(accessors, sampler)?;
    let values: Vec<Vec4> = match accessors.width(sampler.output) {
        Some(3) => accessors.elements::<3>(sampler.output)?.into_iter().map(|v| Vec3::from(v).extend(0.0)).collect(),
        _ => accessors.elements::<4>(sampler.output)?.into_iter().map(Vec4::from).collect(),
    };
    if values.len() != times.len() * sampler.interpolation.values_a_key() {
        return Err(format!("has {} values for {} times", values.len(), times.len()));
    }
    straight(times, values, sampler.interpolation, keys_left)
}

/// Times each of which is later than the one before. Exporters write a jump as two keys at once.
fn rising(mut times: Vec<f32>) -> Vec<f32> {
    let mut last = f32::NEG_INFINITY;
    for time in &mut times {
        if *time <= last {
            *time = last.next_up();
        }
        last = *time;
    }
    times
}

/// The times of a sampler.
fn times(accessors: &mut Accessors<'_>, sampler: &Sampler) -> Result<Vec<f32>, String> {
    let times: Vec<f32> = accessors.elements::<1>(sampler.input)?.into_iter().map(|[time]| time).collect();
    if !times.iter().all(|time| time.abs() <= LATEST_KEY_S) {
        return Err("has times that are not finite, or absurdly late".into());
    }
    if times.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err("has times that fall".into());
    }
    Ok(rising(times))
}

/// The keys of a sampler of weights, for each of `count` morph targets.
fn weights(
    accessors: &mut Accessors<'_>,
    sampler: &Sampler,
    count: usize,
    keys_left: &mut usize,
) -> Result<Vec<Vec<(f32, f32)>>, String> {
    let times = times(accessors, sampler)?;
    let values: Vec<f32> = accessors.elements::<1>(sampler.output)?.into_iter().map(|[weight]| weight).collect();
    if values.len() != times.len() * sampler.interpolation.values_a_key() * count {
        return Err(format!("has {} weights of {count} morph targets for {} times", values.len(), times.len()));
    }
    // Values of all targets are interleaved; targets beyond the most that a model may have are not followed.
    let of_target = |target: usize| -> Result<Vec<(f32, f32)>, String> {
        let own = values.iter().skip(target).step_by(count).map(|&weight| Vec4::splat(weight)).collect();
        let keys = straight(times.clone(), own, sampler.interpolation, keys_left)?;
        Ok(keys.into_iter().map(|(time_s, weight)| (time_s, weight.x)).collect())
    };
    (0..count.min(Morphs::MAX)).map(of_target).collect()
}

/// Keys for linear interpolation.
fn straight(
    times: Vec<f32>,
    values: Vec<Vec4>,
    interpolation: Interpolation,
    keys_left: &mut usize,
) -> Result<Vec<(f32, Vec4)>, String> {
    if values.iter().any(|value| !value.is_finite()) {
        return Err("has numbers that are not finite".into());
    }
    Ok(match interpolation {
        Interpolation::Linear => times.into_iter().zip(values).collect(),
        Interpolation::Step => steps(&times, &values),
        Interpolation::CubicSpline => splines(&times, &values, keys_left)?,
    })
}

/// Keys of steps: each value holds until the time of the next one.
fn steps(times: &[f32], values: &[Vec4]) -> Vec<(f32, Vec4)> {
    let next_times = times.iter().skip(1).map(Some).chain([None]);
    let stays = times.iter().zip(values).zip(next_times);
    stays.flat_map(|((&time, &value), next)| [Some((time, value)), next.map(|&next| (next, value))]).flatten().collect()
}

/// Keys of cubic splines, at [`FPS`] a second: each key in the file is the slope before it, the value, and the slope
/// after it.
fn splines(times: &[f32], values: &[Vec4], keys_left: &mut usize) -> Result<Vec<(f32, Vec4)>, String> {
    let mut keys = Vec::new();
    for (index, pair) in times.windows(2).enumerate() {
        let gap_s = pair[1] - pair[0];
        let parts = (gap_s * FPS).ceil().max(1.0) as usize;
        *keys_left = keys_left.checked_sub(parts).ok_or("is a spline of too many seconds")?;
        let [from, leaving] = [values[3 * index + 1], values[3 * index + 2] * gap_s];
        let [arriving, to] = [values[3 * index + 3] * gap_s, values[3 * index + 4]];
        keys.extend((0..parts).map(|part| {
            let t = part as f32 / parts as f32;
            let (t2, t3) = (t * t, t * t * t);
            let value = from * (2.0 * t3 - 3.0 * t2 + 1.0)
                + leaving * (t3 - 2.0 * t2 + t)
                + to * (3.0 * t2 - 2.0 * t3)
                + arriving * (t3 - t2);
            (pair[0] + gap_s * t, value)
        }));
    }
    keys.extend(times.last().map(|&last| (last, values[values.len() - 2])));
    Ok(keys)
}
