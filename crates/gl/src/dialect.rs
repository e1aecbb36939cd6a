//! The dialects of GLSL that the shaders are written for.

/// A dialect of GLSL. The shader files use only the features that all of them have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// GLSL 3.30, of OpenGL 3.3 core.
    Core330,
    /// GLSL ES 3.00, of OpenGL ES 3.0 and WebGL 2.
    Es300,
}

impl Default for Dialect {
    /// The dialect of the contexts that this program opens.
    fn default() -> Self {
        if cfg!(target_arch = "wasm32") { Self::Es300 } else { Self::Core330 }
    }
}

impl Dialect {
    /// First lines of every shader. ES has no precision of its own for some samplers, and a low one for others.
    pub fn header(self) -> &'static str {
        match self {
            Self::Core330 => "#version 330 core\n",
            Self::Es300 => {
                "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n\
                 precision highp sampler2DShadow;\n"
            }
        }
    }
}
