//! Vertex arrays: geometry with its buffers.

use std::cell::Cell;

use glow::HasContext;

use crate::debug::{Object, label};
use crate::{Buffer, BufferKind, Gl, GlError, RenderState, apply};

/// Number of vertex attributes that OpenGL 3.3 and WebGL 2 guarantee.
const LOCATIONS: usize = 16;

/// One attribute of an interleaved vertex.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Location, from [`crate::attributes`].
    pub location: u32,
    /// Number of components.
    pub components: i32,
    /// Type and reading.
    pub kind: AttributeKind,
    /// Byte offset in the vertex.
    pub offset: i32,
}

/// Storage and reading of an attribute's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// 32-bit floats.
    F32,
    /// Signed 16-bit, read as whole floats.
    I16,
    /// Unsigned 16-bit, read as whole floats.
    U16,
    /// Unsigned bytes, read as integers.
    U8Integer,
    /// Unsigned 16-bit, read as integers.
    U16Integer,
    /// Unsigned 32-bit, read as integers.
    U32Integer,
    /// Unsigned bytes, read as 0..1.
    U8Normalised,
}

/// A run of per-instance data in a buffer.
#[derive(Clone, Copy)]
pub struct Instances<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// Attributes of one instance.
    pub layout: &'a [Attribute],
    /// Bytes from one instance to the next.
    pub stride: usize,
    /// First instance.
    pub first: usize,
    /// Number of instances.
    pub count: usize,
}

/// Vertices, indices and, maybe, per-instance data, ready to be drawn.
pub struct Geometry {
    gl: Gl,
    array: VertexArray,
    _vertices: Buffer,
    _indices: Buffer,
    index_count: u32,
}

impl Geometry {
    /// Indexed triangles from interleaved vertices.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(
        gl: &Gl,
        name: &str,
        vertices: &[u8],
        stride: usize,
        layout: &[Attribute],
        indices: &[u32],
    ) -> Result<Self, GlError> {
        // It is left bound.
        let array = VertexArray::new(gl, name)?;
        let index_count = indices.len() as u32;
        let vertices = Buffer::fixed(gl, name, BufferKind::Vertices, vertices)?;
        set_attributes(gl, layout, stride);
        let indices = Buffer::fixed(gl, name, BufferKind::Indices, bytemuck::cast_slice::<u32, u8>(indices))?;
        Ok(Self { gl: gl.clone(), array, _vertices: vertices, _indices: indices, index_count })
    }

    /// Number of indices.
    pub fn index_count(&self) -> u32 {
        self.index_count
    }

    /// Draws `count` indices from `first` on with the current program.
    ///
    /// # Panics
    /// If the range is not within the indices: a caller's bug.
    pub fn draw(&self, state: RenderState, first: u32, count: u32) {
        assert!(first + count <= self.index_count, "indices {first}+{count} of {}", self.index_count);
        apply(&self.gl, state);
        self.array.bind();
        // SAFETY: the range is within the element buffer by the assert; indices were checked against the vertices when
        // they were made, and a driver clamps fetches of robust contexts.
        unsafe {
            self.gl.draw_elements(glow::TRIANGLES, count as i32, glow::UNSIGNED_INT, (first * 4) as i32);
        }
    }

    /// Draws `count` indices from `first` on once for each of `instances`.
    ///
    /// # Panics
    /// If a range is not within its buffer: a caller's bug.
    pub fn draw_instanced(&self, state: RenderState, first: u32, count: u32, instances: &Instances<'_>) {
        assert!(first + count <= self.index_count, "indices {first}+{count} of {}", self.index_count);
        let end = (instances.first + instances.count) * instances.stride;
        assert!(end <= instances.buffer.size(), "instances to byte {end} of {}", instances.buffer.size());
        apply(&self.gl, state);
        self.array.bind();
        // SAFETY: both ranges are within their buffers by the asserts.
        unsafe {
            let (offset, count, number) = ((first * 4) as i32, count as i32, instances.count as i32);
            if self.gl.has_base_instance {
                self.array.attach(&Instances { first: 0, ..*instances }, 1);
                let base = instances.first as u32;
                self.gl.draw_elements_instanced_base_vertex_base_instance(
                    glow::TRIANGLES,
                    count,
                    glow::UNSIGNED_INT,
                    offset,
                    number,
                    0,
                    base,
                );
            } else {
                self.array.attach(instances, 1);
                self.gl.draw_elements_instanced(glow::TRIANGLES, count, glow::UNSIGNED_INT, offset, number);
            }
        }
    }
}

/// Triangles that change each time they are drawn.
pub struct StreamedGeometry {
    gl: Gl,
    array: VertexArray,
    vertices: Buffer,
    indices: Buffer,
    /// Bytes from one vertex to the next.
    stride: usize,
}

impl StreamedGeometry {
    /// Empty geometry of interleaved vertices.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl, name: &str, stride: usize, layout: &[Attribute]) -> Result<Self, GlError> {
        // It is left bound.
        let array = VertexArray::new(gl, name)?;
        let vertices = Buffer::streaming(gl, name, BufferKind::Vertices)?;
        set_attributes(gl, layout, stride);
        let indices = Buffer::streaming(gl, name, BufferKind::Indices)?;
        Ok(Self { gl: gl.clone(), array, vertices, indices, stride })
    }

    /// Draws triangles with the current program within a rectangle of the target: its lower left corner and its extent.
    ///
    /// # Errors
    /// If the driver has no memory for them.
    ///
    /// # Panics
    /// If an index has no vertex: a caller's bug.
    pub fn draw(
        &self,
        state: RenderState,
        (corner, extent): ((u32, u32), (u32, u32)),
        vertices: &[u8],
        indices: &[u32],
    ) -> Result<(), GlError> {
        let count = vertices.len() / self.stride;
        assert!(indices.iter().all(|index| (*index as usize) < count), "an index beyond {count} vertices");
        // Before the buffers: the vertex array holds the binding of the indices.
        self.array.bind();
        self.vertices.replace(vertices)?;
        self.indices.replace(bytemuck::cast_slice(indices))?;
        apply(&self.gl, state);
        let [x, y, width, height] = [corner.0, corner.1, extent.0, extent.1].map(|pixels| pixels as i32);
        // SAFETY: indices are within the vertices by the assert, and both buffers have been filled.
        unsafe {
            self.gl.enable(glow::SCISSOR_TEST);
            self.gl.scissor(x, y, width, height);
            self.gl.draw_elements(glow::TRIANGLES, indices.len() as i32, glow::UNSIGNED_INT, 0);
            self.gl.disable(glow::SCISSOR_TEST);
        }
        Ok(())
    }
}

/// Points attributes of the bound vertex array at the bound array buffer, one value per vertex.
fn set_attributes(gl: &Gl, layout: &[Attribute], stride: usize) {
    point_attributes(gl, layout, stride, 0);
    for attribute in layout {
        // SAFETY: the attribute has its buffer.
        unsafe { gl.enable_vertex_attrib_array(attribute.location) };
    }
}

/// Sets the positions of attributes of the bound vertex array in the bound array buffer, from byte `base` on.
fn point_attributes(gl: &Gl, layout: &[Attribute], stride: usize, base: i32) {
    for attribute in layout {
        let (location, n, offset, stride) =
            (attribute.location, attribute.components, base + attribute.offset, stride as i32);
        // SAFETY: only describes memory; draws check their ranges.
        unsafe {
            match attribute.kind {
                AttributeKind::F32 => gl.vertex_attrib_pointer_f32(location, n, glow::FLOAT, false, stride, offset),
                AttributeKind::I16 => gl.vertex_attrib_pointer_f32(location, n, glow::SHORT, false, stride, offset),
                AttributeKind::U16 => {
                    gl.vertex_attrib_pointer_f32(location, n, glow::UNSIGNED_SHORT, false, stride, offset);
                }
                AttributeKind::U8Normalised => {
                    gl.vertex_attrib_pointer_f32(location, n, glow::UNSIGNED_BYTE, true, stride, offset);
                }
                AttributeKind::U8Integer => {
                    gl.vertex_attrib_pointer_i32(location, n, glow::UNSIGNED_BYTE, stride, offset);
                }
                AttributeKind::U16Integer => {
                    gl.vertex_attrib_pointer_i32(location, n, glow::UNSIGNED_SHORT, stride, offset);
                }
                AttributeKind::U32Integer => {
                    gl.vertex_attrib_pointer_i32(location, n, glow::UNSIGNED_INT, stride, offset);
                }
            }
        }
    }
}

/// A vertex array object, deleted on drop.
struct VertexArray {
    gl: Gl,
    raw: glow::VertexArray,
    /// Divisor plus 1 of each attribute of instances, by location; 0 where there is none.
    divisors: Cell<[u8; LOCATIONS]>,
    /// Run of instances that the attributes point at.
    attached: Cell<Option<Attached>>,
}

/// A run of instances, as far as a vertex array knows it: its buffer by number, its layout by address.
#[derive(Clone, Copy, PartialEq)]
struct Attached {
    buffer: u64,
    layout: usize,
    stride: usize,
    start: usize,
}

impl VertexArray {
    fn new(gl: &Gl, name: &str) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw = unsafe { gl.create_vertex_array() }
            .map_err(|why| GlError::refused(format!("vertex array '{name}'"), why))?;
        let array = Self { gl: gl.clone(), raw, divisors: Cell::default(), attached: Cell::default() };
        // Only what was bound once can have a label.
        array.bind();
        label(gl, Object::VertexArray(raw), name);
        Ok(array)
    }

    fn bind(&self) {
        // SAFETY: `raw` is a live vertex array.
        unsafe { self.gl.use_vertex_array(self.raw) };
    }

    /// Sets `instances` as the input, one per vertex (`divisor` 0) or one per instance (1). The vertex array must be
    /// bound. Known state is not set again: in a browser each call takes its time.
    fn attach(&self, instances: &Instances<'_>, divisor: u8) {
        let mut divisors = self.divisors.get();
        for attribute in instances.layout {
            let known = &mut divisors[attribute.location as usize];
            if *known != divisor + 1 {
                *known = divisor + 1;
                // SAFETY: its buffer comes below, before anything is drawn.
                unsafe {
                    self.gl.enable_vertex_attrib_array(attribute.location);
                    self.gl.vertex_attrib_divisor(attribute.location, divisor.into());
                }
            }
        }
        self.divisors.set(divisors);
        let Instances { buffer, layout, stride, first, .. } = *instances;
        let attached =
            Attached { buffer: buffer.number(), layout: layout.as_ptr() as usize, stride, start: first * stride };
        if self.attached.replace(Some(attached)) != Some(attached) {
            buffer.bind();
            point_attributes(&self.gl, layout, stride, attached.start as i32);
        }
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        self.gl.forget_vertex_array();
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_vertex_array(self.raw) };
    }
}

/// Draws triangles whose vertices the shader makes from `gl_VertexID` and `gl_InstanceID`: full-screen passes,
/// particles.
pub struct Procedural {
    gl: Gl,
    plain: VertexArray,
    instanced: VertexArray,
}

impl Procedural {
    /// Vertices of a quad: the corners of its two triangles.
    pub const QUAD: u32 = 6;

    /// Two vertex arrays: one without attributes, one for per-instance data.
    ///
    /// # Errors
    /// If the driver gives no name.
    pub fn new(gl: &Gl) -> Result<Self, GlError> {
        let (plain, instanced) = (VertexArray::new(gl, "procedural")?, VertexArray::new(gl, "procedural instances")?);
        Ok(Self { gl: gl.clone(), plain, instanced })
    }

    /// Draws one triangle that covers the target.
    pub fn fullscreen(&self) {
        self.draw(RenderState::FULLSCREEN, 3, 1);
    }

    /// Draws `vertices` per instance, `instances` times, as triangles.
    pub fn draw(&self, state: RenderState, vertices: u32, instances: u32) {
        apply(&self.gl, state);
        self.plain.bind();
        // SAFETY: no attribute is read.
        unsafe {
            self.gl.draw_arrays_instanced(glow::TRIANGLES, 0, vertices as i32, instances as i32);
        }
    }

    /// Draws a point for each of `instances`.
    ///
    /// # Panics
    /// As [`Self::draw_instanced`].
    pub fn points(&self, instances: &Instances<'_>) {
        self.attach(instances, 0);
        // SAFETY: the run is within its buffer, as `attach` asserts.
        unsafe { self.gl.draw_arrays(glow::POINTS, 0, instances.count as i32) };
    }

    /// Draws `vertices` per instance for each of `instances`, as triangles.
    ///
    /// # Panics
    /// If the run is not within its buffer: a caller's bug.
    pub fn draw_instanced(&self, state: RenderState, vertices: u32, instances: &Instances<'_>) {
        apply(&self.gl, state);
        self.attach(instances, 1);
        // SAFETY: the run is within its buffer, as `attach` asserts.
        unsafe { self.gl.draw_arrays_instanced(glow::TRIANGLES, 0, vertices as i32, instances.count as i32) };
    }

    /// Sets `instances` as the input, one per vertex (`divisor` 0) or one per instance (1).
    fn attach(&self, instances: &Instances<'_>, divisor: u8) {
        let end = (instances.first + instances.count) * instances.stride;
        assert!(end <= instances.buffer.size(), "instances to byte {end} of {}", instances.buffer.size());
        self.instanced.bind();
        self.instanced.attach(instances, divisor);
    }
}
