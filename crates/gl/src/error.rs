//! Errors of a driver.

/// Reason why a GL object could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlError {
    /// The driver gave no object or an incomplete one.
    #[error("the graphics driver refused {what}: {why}")]
    Refused {
        /// The requested object.
        what: String,
        /// The driver's message.
        why: String,
    },
    /// A shader does not compile; lines name the shader files.
    #[error("shader {name} does not compile:\n{log}")]
    Compile {
        /// The file that was compiled.
        name: String,
        /// The driver's log with file names put in.
        log: String,
    },
    /// A program does not link.
    #[error("shaders of '{name}' do not link:\n{log}")]
    Link {
        /// The program.
        name: String,
        /// The driver's log.
        log: String,
    },
    /// The uniforms that a pass sets differ from those that its shaders declare.
    #[error("shaders and program disagree about the uniforms of '{name}':\n{problems}")]
    Uniforms {
        /// The program.
        name: String,
        /// Problems, one per line.
        problems: String,
    },
    /// A shader file is missing or includes itself or something missing.
    #[error("{file}:{line}: cannot include '{include}': {why}")]
    Include {
        /// The file with the directive.
        file: String,
        /// Its line, from 1.
        line: usize,
        /// The file to include.
        include: String,
        /// Reason.
        why: &'static str,
    },
}

impl GlError {
    pub(super) fn refused(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Refused { what: what.into(), why: why.into() }
    }
}
