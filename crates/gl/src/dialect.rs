//! The dialects of OpenGL that the program draws with.

use std::fmt;

use glow::HasContext;

/// A dialect of OpenGL and of GLSL. The shader files use only the features that all of them have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenGL 3.3 core and GLSL 3.30.
    Core330,
    /// OpenGL ES 3.0, WebGL 2 and GLSL ES 3.00.
    Es300,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core330 => "OpenGL 3.3 core",
            Self::Es300 => "OpenGL ES 3.0",
        })
    }
}

impl Dialect {
    /// The dialect of a context.
    pub(super) fn of(context: &glow::Context) -> Self {
        if context.version().is_embedded { Self::Es300 } else { Self::Core330 }
    }

    /// First lines of every shader. ES has no precision of its own for some samplers, and a low one for others.
    pub(super) fn header(self) -> &'static str {
        match self {
            Self::Core330 => "#version 330 core\n",
            Self::Es300 => {
                "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n\
                 precision highp sampler2DShadow;\n"
            }
        }
    }
}
