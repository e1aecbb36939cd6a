//! Numbers out of buffers.

use super::container::Container;
use super::document::{Accessor, BufferView};

/// Numbers that all accessors of a file may give together: what is sparse need not be there, and what is there may be used
/// often.
pub const MAX_NUMBERS: usize = 16 << 20;

/// The accessors of a file.
pub(super) struct Accessors<'a> {
    container: &'a Container,
    numbers_left: usize,
}

/// A component's type, by OpenGL's number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in so many bytes. Integers up to 2^53 are exact.
    fn read(self, b: &[u8], normalized: bool) -> f64 {
        let (value, one) = match self {
            Self::I8 => (f64::from(b[0] as i8), 127.0),
            Self::U8 => (f64::from(b[0]), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32_767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65_535.0),
            Self::U32 => (f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            Self::F32 => (f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
        };
        if normalized { (value / one).max(-1.0) } else { value }
    }
}

impl<'a> Accessors<'a> {
    pub fn new(container: &'a Container) -> Self {
        Self { container, numbers_left: MAX_NUMBERS }
    }

    /// The elements of an accessor, `N` numbers each.
    pub fn elements<const N: usize>(&mut self, index: usize) -> Result<Vec<[f32; N]>, String> {
        let found = self.spend(index, N)?;
        let told = |why: String| format!("accessors[{index}] {why}");
        // Most of a file is floats as they are.
        if let (Some(view), Component::F32, None) = (found.accessor.buffer_view, found.shape.0, &found.accessor.sparse)
        {
            let part = self.part(view, found.accessor.byte_offset, found.accessor.count, found.shape).map_err(told)?;
            let float = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
            let elements = part.elements().map(|element| {
                let numbers = element.as_chunks().0;
                std::array::from_fn(|i| numbers.get(i).map_or(0.0, float))
            });
            return Ok(elements.collect());
        }
        let numbers = self.numbers(index, &found)?;
        Ok(numbers.chunks_exact(N).map(|element| std::array::from_fn(|i| element[i] as f32)).collect())
    }

    /// The elements of an accessor of whole numbers, one each.
    pub fn indices(&mut self, index: usize) -> Result<Vec<usize>, String> {
        let found = self.spend(index, 1)?;
        let told = |why: String| format!("accessors[{index}] {why}");
        if let (Some(view), Component::U16, None) = (found.accessor.buffer_view, found.shape.0, &found.accessor.sparse)
        {
            let part = self.part(view, found.accessor.byte_offset, found.accessor.count, found.shape).map_err(told)?;
            let short = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
            return Ok(part.elements().map(|bytes| usize::from(short(bytes))).collect());
        }
        Ok(self.numbers(index, &found)?.into_iter().map(|number| number as usize).collect())
    }

    /// How many numbers an element of an accessor has.
    pub fn width(&self, index: usize) -> Option<usize> {
        width(&self.container.document.accessors.get(index)?.kind)
    }

    /// An accessor of elements of so many numbers, which are taken from what is left.
    fn spend(&mut self, index: usize, wanted: usize) -> Result<Found<'a>, String> {
        let told = |why: String| format!("accessors[{index}] {why}");
        let container: &'a Container = self.container;
        let accessor = container.document.accessors.get(index).ok_or(told("is not there".into()))?;
        let component = Component::of(accessor.component_type);
        let component = component.ok_or(told(format!("has component type {}", accessor.component_type)))?;
        let width = width(&accessor.kind).filter(|&width| width == wanted);
        let width = width.ok_or(told(format!("is {} where {wanted} numbers are expected", accessor.kind)))?;
        let total = accessor.count.checked_mul(width).filter(|&total| total <= self.numbers_left);
        self.numbers_left -= total.ok_or(told(format!("has {} elements, too many", accessor.count)))?;
        Ok(Found { accessor, shape: (component, width) })
    }

    /// The numbers of an accessor, whatever their type.
    fn numbers(&self, index: usize, Found { accessor, shape }: &Found<'a>) -> Result<Vec<f64>, String> {
        let mut numbers = match accessor.buffer_view {
            Some(view) => {
                let part = self.part(view, accessor.byte_offset, accessor.count, *shape);
                part.map_err(|why| format!("accessors[{index}] {why}"))?.numbers(accessor.normalized)
            }
            None => vec![0.0; accessor.count * shape.1],
        };
        self.overlay(accessor, *shape, &mut numbers).map_err(|why| format!("accessors[{index}].sparse {why}"))?;
        Ok(numbers)
    }

    /// Replaces what a sparse accessor says anew.
    fn overlay(&self, accessor: &Accessor, shape: (Component, usize), numbers: &mut [f64]) -> Result<(), String> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        if sparse.count > accessor.count {
            return Err(format!("replaces {} of {} elements", sparse.count, accessor.count));
        }
        let component = Component::of(sparse.indices.component_type).ok_or("has indices of no known type")?;
        let indices = &sparse.indices;
        let indices = self.part(indices.buffer_view, indices.byte_offset, sparse.count, (component, 1))?.numbers(false);
        let values = &sparse.values;
        let values = self.part(values.buffer_view, values.byte_offset, sparse.count, shape)?;
        let values = values.numbers(accessor.normalized);
        for (index, value) in indices.into_iter().zip(values.chunks_exact(shape.1)) {
            let start = (index.max(0.0) as usize).saturating_mul(shape.1);
            let place = numbers.get_mut(start..start.saturating_add(shape.1));
            place.ok_or(format!("replaces element {index} of {}", accessor.count))?.copy_from_slice(value);
        }
        Ok(())
    }

    /// `count` elements from a place in a buffer view.
    fn part(
        &self,
        view: usize,
        offset: usize,
        count: usize,
        (component, width): (Component, usize),
    ) -> Result<Part<'a>, String> {
        let (view, bytes) = self.view(view)?;
        let element_bytes = component.bytes() * width;
        let stride = view.byte_stride.unwrap_or(element_bytes);
        let needed = match count {
            0 => Some(offset),
            _ => stride.checked_mul(count - 1).and_then(|all| all.checked_add(element_bytes)?.checked_add(offset)),
        };
        match needed.and_then(|end| bytes.get(offset..end)) {
            Some(_) if stride < element_bytes => Err(format!("has {element_bytes} bytes an element, {stride} apart")),
            Some(bytes) => Ok(Part { bytes, stride, element_bytes, component }),
            _ => Err(format!("has {count} elements, which reach beyond the {} bytes of its view", bytes.len())),
        }
    }

    /// A buffer view and its bytes.
    pub fn view(&self, index: usize) -> Result<(&'a BufferView, &'a [u8]), String> {
        let view = self
            .container
            .document
            .buffer_views
            .get(index)
            .ok_or(format!("names bufferViews[{index}], which is not there"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = self.container.buffers.get(view.buffer);
        let bytes = bytes.zip(end).and_then(|(buffer, end)| buffer.get(view.byte_offset..end));
        Ok((view, bytes.ok_or(format!("names bufferViews[{index}], which reaches beyond its buffer"))?))
    }
}

/// An accessor, and the type and number of its elements' numbers.
struct Found<'a> {
    accessor: &'a Accessor,
    shape: (Component, usize),
}

/// Elements in a buffer view, from the first byte of the first to the last byte of the last.
struct Part<'a> {
    bytes: &'a [u8],
    stride: usize,
    element_bytes: usize,
    component: Component,
}

impl<'a> Part<'a> {
    fn elements(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let element_bytes = self.element_bytes;
        // The last one may end before the next would begin.
        self.bytes.chunks(self.stride).map(move |chunk| &chunk[..element_bytes.min(chunk.len())])
    }

    fn numbers(&self, normalized: bool) -> Vec<f64> {
        let numbers = self.elements().flat_map(|element| element.chunks_exact(self.component.bytes()));
        numbers.map(|number| self.component.read(number, normalized)).collect()
    }
}

/// Numbers of an element; the padding of small matrices is not followed, for none is used.
fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return None,
    })
}
