//! Typed uniforms: a pass sets a struct whose fields have the names of the uniforms in its shaders.

use std::cell::Cell;

use glam::{Vec2, Vec3, Vec4};
use glow::HasContext;

use crate::{Gl, Texture2d};

/// The value of a uniform, or of several: those of a struct made by `uniforms!`.
pub trait Uniforms {
    /// Number of uniforms.
    const COUNT: usize;

    /// Adds each uniform to `list`, in the order in which [`Self::set`] sets them; `name` is that of the field.
    fn declare(name: &'static str, list: &mut Vec<Declared>);

    /// Sets them in the current program, whose next slots are theirs.
    fn set(&self, slots: &mut Slots<'_>);
}

/// A family of [`Uniforms`] types over the lifetime of the textures in them.
pub trait UniformSet: 'static {
    /// The type with a lifetime.
    type Values<'a>: Uniforms;
}

/// A uniform that a pass sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name in the shader.
    pub name: &'static str,
    /// The types it may have there.
    pub types: &'static [&'static str],
}

impl Declared {
    pub(super) fn is_sampler(&self) -> bool {
        self.types.iter().all(|name| name.starts_with("sampler"))
    }
}

/// Location of a uniform of a linked program.
pub(super) struct Slot {
    pub(super) location: glow::UniformLocation,
    /// The texture unit, if it is a sampler.
    pub(super) unit: u32,
    /// Bits of the value that it was given last, and the context's epoch then.
    pub(super) last: Cell<Option<(u32, [u32; 4])>>,
}

/// Slots of the current program that are still to be set; `None` for a uniform that the optimiser removed.
pub struct Slots<'a> {
    pub(super) gl: &'a Gl,
    pub(super) left: std::slice::Iter<'a, Option<Slot>>,
}

impl<'a> Slots<'a> {
    fn next(&mut self) -> Option<&'a Slot> {
        self.left.next().expect("a slot for each uniform that was declared").as_ref()
    }
}

/// Declares a struct of [`Uniforms`]: its fields are `f32`, `i32`, vectors, `&Texture2d`, other such structs (whose
/// fields count as its own), or an `Option` of any of these for uniforms that only some variants of a shader have.
#[macro_export]
macro_rules! uniforms {
    ($(#[$doc:meta])* $vis:vis struct $name:ident<$life:lifetime> { $($body:tt)* }) => {
        $crate::uniforms!(@fields [$(#[$doc])* $vis struct $name] [<$life>] { $($body)* });
        impl $crate::UniformSet for $name<'static> {
            type Values<'a> = $name<'a>;
        }
    };
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $($body:tt)* }) => {
        $crate::uniforms!(@fields [$(#[$doc])* $vis struct $name] [] { $($body)* });
        impl $crate::UniformSet for $name {
            type Values<'a> = $name;
        }
    };
    (@fields [$(#[$doc:meta])* $vis:vis struct $name:ident] [$($life:tt)*] {
        $($(#[$field_doc:meta])* $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        $vis struct $name $($life)* { $($(#[$field_doc])* $field_vis $field: $type,)* }

        impl $($life)* $crate::Uniforms for $name $($life)* {
            const COUNT: usize = 0 $(+ <$type as $crate::Uniforms>::COUNT)*;

            fn declare(_: &'static str, list: &mut Vec<$crate::Declared>) {
                $(<$type as $crate::Uniforms>::declare(stringify!($field), list);)*
            }

            fn set(&self, slots: &mut $crate::Slots<'_>) {
                $($crate::Uniforms::set(&self.$field, slots);)*
            }
        }
    };
}

fn bits(numbers: [f32; 4]) -> [u32; 4] {
    numbers.map(f32::to_bits)
}

/// Uniforms that are one value of one GLSL type.
macro_rules! plain_uniforms {
    ($($type:ty: $glsl:expr, |$value:ident| $bits:expr, |$gl:ident, $location:ident| $set:expr;)*) => {$(
        impl Uniforms for $type {
            const COUNT: usize = 1;

            fn declare(name: &'static str, list: &mut Vec<Declared>) {
                list.push(Declared { name, types: $glsl });
            }

            fn set(&self, slots: &mut Slots<'_>) {
                let Some(slot) = slots.next() else { return };
                let ($gl, $location, $value) = (slots.gl, Some(&slot.location), self);
                // Programs keep their uniforms: what has not changed is not sent again.
                let now = Some(($gl.epoch(), $bits));
                if slot.last.replace(now) == now {
                    return;
                }
                // SAFETY: the location is of the current program; a type mismatch is a GL error, not undefined.
                unsafe { $set };
            }
        }
    )*};
}
plain_uniforms! {
    f32: &["float"], |v| bits([*v, 0.0, 0.0, 0.0]), |gl, location| gl.uniform_1_f32(location, *v);
    i32: &["int"], |v| [*v as u32, 0, 0, 0], |gl, location| gl.uniform_1_i32(location, *v);
    Vec2: &["vec2"], |v| bits([v.x, v.y, 0.0, 0.0]), |gl, location| gl.uniform_2_f32(location, v.x, v.y);
    Vec3: &["vec3"], |v| bits([v.x, v.y, v.z, 0.0]), |gl, location| gl.uniform_3_f32(location, v.x, v.y, v.z);
    Vec4: &["vec4"], |v| bits(v.to_array()), |gl, location| gl.uniform_4_f32(location, v.x, v.y, v.z, v.w);
}

impl Uniforms for &Texture2d {
    const COUNT: usize = 1;

    fn declare(name: &'static str, list: &mut Vec<Declared>) {
        list.push(Declared { name, types: &["sampler2D", "sampler2DShadow"] });
    }

    fn set(&self, slots: &mut Slots<'_>) {
        if let Some(slot) = slots.next() {
            self.bind_to_unit(slot.unit);
        }
    }
}

impl<U: Uniforms> Uniforms for Option<U> {
    const COUNT: usize = U::COUNT;

    fn declare(name: &'static str, list: &mut Vec<Declared>) {
        U::declare(name, list);
    }

    /// # Panics
    /// In a debug build, if the program has a uniform that is given no value: a caller's bug.
    fn set(&self, slots: &mut Slots<'_>) {
        match self {
            Some(uniforms) => uniforms.set(slots),
            None => {
                for _ in 0..U::COUNT {
                    let slot = slots.next();
                    debug_assert!(slot.is_none(), "a uniform of the program is not set");
                }
            }
        }
    }
}

impl Uniforms for () {
    const COUNT: usize = 0;

    fn declare(_: &'static str, _: &mut Vec<Declared>) {}

    fn set(&self, _: &mut Slots<'_>) {}
}

impl UniformSet for () {
    type Values<'a> = ();
}

/// (type, name) of each uniform that a shader's text declares, whether a branch leaves it out or not.
fn declared_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let (declaration, _) = line.trim_start().strip_prefix("uniform ")?.split_once(';')?;
        declaration.trim().split_once(' ').map(|(kind, name)| (kind, name.trim()))
    })
}

/// Disagreements between `set`, the uniforms of a pass, and its shaders: by the text of both, and by the uniforms that
/// are `active` in the linked program. A uniform that is declared and optimised away may be set all the same.
pub(super) fn disagreements(set: &[Declared], texts: [&str; 2], active: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for Declared { name, types } in set {
        let mut declarations = texts.into_iter().flat_map(declared_in).filter(|(_, known)| known == name).peekable();
        if declarations.peek().is_none() {
            found.push(format!("'{name}' is set, but no shader declares it"));
        }
        if let Some((kind, _)) = declarations.find(|(kind, _)| !types.contains(kind)) {
            found.push(format!("'{name}' is set as {}, but declared as {kind}", types.join(" or ")));
        }
    }
    let unset = active.iter().filter(|name| !set.iter().any(|uniform| uniform.name == name.as_str()));
    found.extend(unset.map(|name| format!("'{name}' is used, but nobody sets it")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    uniforms! {
        /// Uniforms of waves.
        struct Inner<'a> {
            height: &'a Texture2d,
            patch_m: Vec2,
        }
    }

    uniforms! {
        struct Outer<'a> {
            steps: i32,
            inner: Inner<'a>,
            tint: Option<Vec4>,
        }
    }

    const SHADER: &str = "uniform int steps;   // of a march\n uniform sampler2D height;\nuniform vec2 patch_m;\nuniform vec4 tint;\nlayout(std140) uniform Frame {\n    float time_s;\n};";

    fn declared<U: UniformSet>() -> Vec<Declared> {
        let mut list = Vec::new();
        U::Values::declare("", &mut list);
        list
    }

    #[test]
    fn the_fields_of_a_group_are_uniforms_of_the_whole() {
        let list = declared::<Outer<'static>>();
        let names: Vec<_> = list.iter().map(|uniform| uniform.name).collect();
        assert_eq!(names, ["steps", "height", "patch_m", "tint"]);
        assert_eq!(Outer::COUNT, names.len());
        assert_eq!(disagreements(&list, ["", SHADER], &["steps".into()]), [""; 0]);
    }

    #[test]
    fn what_is_not_declared_or_not_set_or_of_another_type_is_told() {
        let list = declared::<Inner<'static>>();
        let text = SHADER.replace("vec2 patch_m", "vec3 patch_m");
        let found = disagreements(&list, [&text, ""], &["steps".into(), "height".into()]);
        assert_eq!(found, ["'patch_m' is set as vec2, but declared as vec3", "'steps' is used, but nobody sets it"]);
        let found = disagreements(&list, ["", ""], &[]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("'height' is set"), "{found:?}");
    }
}
