//! Uniform blocks declared once: one list of members gives the Rust struct, its bytes as std140 lays them out, and the
//! GLSL text.

use bytemuck::Pod;
use glam::{Mat4, Vec3, Vec4};

/// A type that a uniform block can hold.
pub trait Std140: Pod {
    /// Its name in GLSL, or that of its elements if it is an array.
    const GLSL: &'static str;
    /// Number of elements of an array.
    const LENGTH: Option<usize> = None;
    /// Alignment of its offset. Unit: bytes.
    const ALIGN: usize;
}

impl Std140 for f32 {
    const GLSL: &'static str = "float";
    const ALIGN: usize = 4;
}

impl Std140 for Vec3 {
    const GLSL: &'static str = "vec3";
    const ALIGN: usize = 16;
}

impl Std140 for Vec4 {
    const GLSL: &'static str = "vec4";
    const ALIGN: usize = 16;
}

impl Std140 for Mat4 {
    const GLSL: &'static str = "mat4";
    const ALIGN: usize = 16;
}

/// std140 pads the elements of all other arrays.
impl<const N: usize> Std140 for [Vec4; N] {
    const GLSL: &'static str = "vec4";
    const LENGTH: Option<usize> = Some(N);
    const ALIGN: usize = 16;
}

/// A member of a uniform block.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    name: &'static str,
    about: &'static str,
    glsl: &'static str,
    length: Option<usize>,
    align: usize,
    size: usize,
}

impl Member {
    /// A member of type `T`; `about` says what it is.
    pub const fn of<T: Std140>(name: &'static str, about: &'static str) -> Self {
        Self { name, about, glsl: T::GLSL, length: T::LENGTH, align: T::ALIGN, size: size_of::<T>() }
    }
}

/// Name and offset of each member. Unit of the offset: bytes.
pub const fn layout<const N: usize>(members: &[Member; N]) -> [(&'static str, usize); N] {
    let mut layout = [("", 0); N];
    let (mut i, mut end) = (0, 0usize);
    while i < N {
        let offset = end.next_multiple_of(members[i].align);
        layout[i] = (members[i].name, offset);
        end = offset + members[i].size;
        i += 1;
    }
    layout
}

/// The block as GLSL declares it.
pub fn glsl(block: &str, members: &[Member]) -> String {
    let lines = members.iter().map(|Member { name, about, glsl, length, .. }| {
        let length = length.map(|n| format!("[{n}]")).unwrap_or_default();
        format!("    {glsl} {name}{length};  //{about}\n")
    });
    format!("layout(std140) uniform {block} {{\n{}}};\n", lines.collect::<String>())
}

/// Puts a member at the end of a block's bytes.
pub fn append<T: Std140>(bytes: &mut Vec<u8>, member: &T) {
    bytes.resize(bytes.len().next_multiple_of(T::ALIGN), 0);
    bytes.extend_from_slice(bytemuck::bytes_of(member));
}

/// Declares a uniform block:
///
/// ```text
/// uniform_block! {
///     /// Description of the struct.
///     pub struct Name = "NameInGlsl", from inputs: &Inputs {
///         /// Description of the member, with its unit.
///         member: Type = an expression of inputs;
///     }
/// }
/// ```
macro_rules! uniform_block {
    (
        $(#[$about:meta])*
        pub struct $name:ident = $block:literal, from $inputs:ident: $Inputs:ty {
            $( #[doc = $doc:literal] $member:ident: $type:ty = $value:expr; )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $( #[doc = $doc] pub $member: $type, )*
        }

        impl $name {
            /// Name of the block in the shaders.
            pub const BLOCK: &str = $block;

            const MEMBERS: [$crate::std140::Member; [$( stringify!($member) ),*].len()] =
                [$( $crate::std140::Member::of::<$type>(stringify!($member), $doc) ),*];

            /// Name and std140 offset of every member, in order. Unit of the offset: bytes.
            pub const LAYOUT: [(&str, usize); Self::MEMBERS.len()] = $crate::std140::layout(&Self::MEMBERS);

            /// The values, worked out from the inputs.
            fn new($inputs: $Inputs) -> Self {
                Self { $( $member: $value, )* }
            }

            /// The values as std140 lays them out.
            pub fn bytes(&self) -> Vec<u8> {
                let mut bytes = Vec::new();
                $( $crate::std140::append(&mut bytes, &self.$member); )*
                bytes.resize(bytes.len().next_multiple_of(16), 0);
                bytes
            }

            /// The block as GLSL declares it.
            pub fn glsl() -> String {
                $crate::std140::glsl(Self::BLOCK, &Self::MEMBERS)
            }
        }
    };
}
pub(super) use uniform_block;

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3, Vec4};

    uniform_block! {
        /// One of each kind, in the worst order.
        pub struct Sample = "Sample", from x: f32 {
            /// Shares its 16 bytes with the next scalar.
            first: Vec3 = Vec3::splat(x);
            /// Fills the gap after a vec3.
            second: f32 = x;
            /// Leaves a gap.
            third: f32 = x;
            /// After a gap of 12 bytes.
            fourth: Vec3 = Vec3::splat(x);
            /// After a gap of 4 bytes.
            fifth: [Vec4; 2] = [Vec4::splat(x); 2];
            /// Right after the array.
            sixth: Mat4 = Mat4::IDENTITY;
            /// The last.
            seventh: f32 = x;
        }
    }

    #[test]
    fn members_lie_where_std140_puts_them() {
        // OpenGL 3.3, section 2.11.4: worked out by hand.
        let expected = [0, 12, 16, 32, 48, 80, 144];
        assert_eq!(Sample::LAYOUT.map(|(_, offset)| offset), expected);
        let bytes = Sample::new(2.5).bytes();
        assert_eq!(bytes.len(), 160);
        for offset in [0, 4, 8, 12, 16, 32, 36, 40, 48, 76, 144] {
            assert_eq!(bytes[offset..offset + 4], 2.5f32.to_ne_bytes(), "at {offset}");
        }
        assert_eq!(bytes[20..32], [0; 12]);
    }

    #[test]
    fn glsl_declares_every_member_with_its_comment() {
        let text = Sample::glsl();
        assert!(text.starts_with("layout(std140) uniform Sample {\n    vec3 first;  // Shares"), "{text}");
        assert!(text.contains("\n    vec4 fifth[2];  // After a gap of 4 bytes.\n"), "{text}");
        assert!(text.ends_with("\n    float seventh;  // The last.\n};\n"), "{text}");
    }
}
