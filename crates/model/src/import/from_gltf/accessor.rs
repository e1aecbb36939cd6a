//! Accessors: numbers out of buffers.

use super::container::Container;
use super::document::{Accessor, BufferView};

/// Most numbers that all accessors of a file may give together: sparse ones need few bytes, and the same bytes may be
/// used by many.
pub const MAX_NUMBERS: usize = 16 << 20;

/// The accessors of a file.
pub(super) struct Accessors<'a> {
    container: &'a Container<'a>,
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

    /// Stored value of a normalised 1.
    fn one(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

impl<'a> Accessors<'a> {
    pub fn new(container: &'a Container<'a>) -> Self {
        Self { container, numbers_left: MAX_NUMBERS }
    }

    /// The elements of an accessor, `N` numbers each.
    pub fn elements<const N: usize>(&mut self, index: usize) -> Result<Vec<[f32; N]>, String> {
        let found = self.spend(index, N)?;
        if found.accessor.normalized {
            let one = found.component.one();
            return self.read(index, &found, |number| (number / one).max(-1.0) as f32);
        }
        self.read(index, &found, |number| number as f32)
    }

    /// The elements of an accessor of single whole numbers.
    pub fn indices(&mut self, index: usize) -> Result<Vec<usize>, String> {
        let found = self.spend(index, 1)?;
        Ok(self.read(index, &found, |number| number as usize)?.into_iter().map(|[number]| number).collect())
    }

    /// The elements of an accessor of `N` small whole numbers each, such as joints.
    pub fn small_indices<const N: usize>(&mut self, index: usize) -> Result<Vec<[u16; N]>, String> {
        let found = self.spend(index, N)?;
        self.read(index, &found, |number| number as u16)
    }

    /// Count of numbers in an element of an accessor.
    pub fn width(&self, index: usize) -> Option<usize> {
        width(&self.container.document.accessors.get(index)?.kind)
    }

    /// Finds an accessor of elements of `wanted` numbers, and takes its numbers from those left.
    fn spend(&mut self, index: usize, wanted: usize) -> Result<Found<'a>, String> {
        let told = |why: String| format!("accessors[{index}] {why}");
        let container = self.container;
        let accessor = container.document.accessors.get(index).ok_or_else(|| told("is not there".into()))?;
        let component = Component::of(accessor.component_type);
        let component = component.ok_or_else(|| told(format!("has component type {}", accessor.component_type)))?;
        let width = width(&accessor.kind).filter(|&width| width == wanted);
        let width = width.ok_or_else(|| told(format!("is {} where {wanted} numbers are expected", accessor.kind)))?;
        let total = accessor.count.checked_mul(width).filter(|&total| total <= self.numbers_left);
        self.numbers_left -= total.ok_or_else(|| told(format!("has {} elements, too many", accessor.count)))?;
        Ok(Found { accessor, component })
    }

    /// Reads the elements of an accessor, whatever the type of its numbers, each of which `of` converts.
    fn read<T: Copy + Default, const N: usize>(
        &self,
        index: usize,
        Found { accessor, component }: &Found<'a>,
        of: impl Fn(f64) -> T,
    ) -> Result<Vec<[T; N]>, String> {
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let part = self.part::<N>(view, accessor.byte_offset, accessor.count, *component);
                part.map_err(|why| format!("accessors[{index}] {why}"))?.elements(&of)
            }
            None => vec![[T::default(); N]; accessor.count],
        };
        self.overlay(accessor, *component, &mut elements, of)
            .map_err(|why| format!("accessors[{index}].sparse {why}"))?;
        Ok(elements)
    }

    /// Replaces the elements that a sparse accessor overrides.
    fn overlay<T: Copy + Default, const N: usize>(
        &self,
        accessor: &Accessor,
        component: Component,
        elements: &mut [[T; N]],
        of: impl Fn(f64) -> T,
    ) -> Result<(), String> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        if sparse.count > accessor.count {
            return Err(format!("replaces {} of {} elements", sparse.count, accessor.count));
        }
        let index_component = Component::of(sparse.indices.component_type).ok_or("has indices of no known type")?;
        let indices = &sparse.indices;
        let indices = self.part::<1>(indices.buffer_view, indices.byte_offset, sparse.count, index_component)?;
        let values = self.part::<N>(sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, component)?;
        for ([index], value) in indices.elements(|number| number as usize).into_iter().zip(values.elements(of)) {
            let place = elements.get_mut(index);
            *place.ok_or_else(|| format!("replaces element {index} of {}", accessor.count))? = value;
        }
        Ok(())
    }

    /// `count` elements from a place in a buffer view.
    fn part<const N: usize>(
        &self,
        view: usize,
        offset: usize,
        count: usize,
        component: Component,
    ) -> Result<Part<'a, N>, String> {
        let (view, bytes) = self.view(view)?;
        let element_bytes = component.bytes() * N;
        // Some exporters write 0 for elements that follow each other.
        let stride = view.byte_stride.filter(|&stride| stride > 0).unwrap_or(element_bytes);
        let needed = match count {
            0 => Some(offset),
            _ => stride.checked_mul(count - 1).and_then(|all| all.checked_add(element_bytes)?.checked_add(offset)),
        };
        match needed.and_then(|end| bytes.get(offset..end)) {
            Some(_) if stride < element_bytes => Err(format!("has {element_bytes} bytes an element, {stride} apart")),
            Some(bytes) => Ok(Part { bytes, stride, component }),
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
            .ok_or_else(|| format!("names bufferViews[{index}], which is not there"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = self.container.buffers.get(view.buffer);
        let bytes = bytes.zip(end).and_then(|(buffer, end)| buffer.get(view.byte_offset..end));
        Ok((view, bytes.ok_or_else(|| format!("names bufferViews[{index}], which reaches beyond its buffer"))?))
    }
}

/// An accessor, and the type of its elements' numbers.
struct Found<'a> {
    accessor: &'a Accessor,
    component: Component,
}

/// Elements of `N` numbers in a buffer view, from the first byte of the first to the last byte of the last.
struct Part<'a, const N: usize> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
}

impl<const N: usize> Part<'_, N> {
    /// The elements, with each number converted by `of`. Integers of 32 bits are exact.
    fn elements<T: Copy + Default>(&self, of: impl Fn(f64) -> T) -> Vec<[T; N]> {
        match self.component {
            Component::I8 => self.each(|[byte]: &[u8; 1]| of(f64::from(*byte as i8))),
            Component::U8 => self.each(|[byte]: &[u8; 1]| of(f64::from(*byte))),
            Component::I16 => self.each(|bytes| of(f64::from(i16::from_le_bytes(*bytes)))),
            Component::U16 => self.each(|bytes| of(f64::from(u16::from_le_bytes(*bytes)))),
            Component::U32 => self.each(|bytes| of(f64::from(u32::from_le_bytes(*bytes)))),
            Component::F32 => self.each(|bytes| of(f64::from(f32::from_le_bytes(*bytes)))),
        }
    }

    fn each<T: Copy + Default, const B: usize>(&self, of: impl Fn(&[u8; B]) -> T) -> Vec<[T; N]> {
        if self.stride == B * N {
            let (elements, _) = self.bytes.as_chunks::<B>().0.as_chunks::<N>();
            return elements.iter().map(|element| std::array::from_fn(|i| of(&element[i]))).collect();
        }
        // The last element may end before the stride does.
        let numbers = self.bytes.chunks(self.stride).map(|chunk| chunk.as_chunks::<B>().0);
        numbers.map(|numbers| std::array::from_fn(|i| numbers.get(i).map_or(T::default(), &of))).collect()
    }
}

/// Numbers of an element; small matrices, which are padded, are not supported, for none is used.
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
