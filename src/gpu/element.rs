//! How the host describes an element of a GPU buffer: one macro makes the struct and what there is to compare with WGSL.
//!
//! `wgsl/state` owns the layouts. [`element!`](crate::element) makes the struct that the host fills in and reads, with the names,
//! offsets and sizes of its members; `tests/passes/layout.rs` compares all of them with what naga says of the WGSL struct.

/// A struct of WGSL as the host has it.
#[derive(Debug)]
pub struct Layout {
    /// WGSL file that owns it, without its ending
    pub file: &'static str,
    /// its name there
    pub name: &'static str,
    /// bytes of one element
    pub size: usize,
    /// members in order, padding included
    pub members: &'static [Member],
}

/// A member of such a struct. Members whose names start with `pad` are padding, which WGSL need not name.
#[derive(Debug)]
pub struct Member {
    /// name in WGSL
    pub name: &'static str,
    /// bytes from the start of the struct
    pub offset: usize,
    /// bytes
    pub size: usize,
    /// of what it is made
    pub scalar: Scalar,
}

/// What a member is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// `u32`; 64-bit integers are two
    Uint,
    /// `i32`
    Sint,
    /// `f32`
    Float,
    /// a struct that is described by itself
    Struct,
}

/// A struct that is described, as [`element!`](crate::element) makes it.
pub trait Element: bytemuck::Pod {
    /// names, offsets, sizes
    const LAYOUT: Layout;
}

/// A type that a member may have.
pub trait Word {
    /// what it is made of
    const SCALAR: Scalar;
}

impl Word for u32 {
    const SCALAR: Scalar = Scalar::Uint;
}

impl Word for i32 {
    const SCALAR: Scalar = Scalar::Sint;
}

impl Word for f32 {
    const SCALAR: Scalar = Scalar::Float;
}

/// WGSL has no 64-bit integers: low and high word are a `vec2<u32>`.
impl Word for i64 {
    const SCALAR: Scalar = Scalar::Uint;
}

impl<T: Word, const N: usize> Word for [T; N] {
    const SCALAR: Scalar = T::SCALAR;
}

/// Makes host structs of elements that the given file of `wgsl/state` owns, and their [`Layout`]s as `LAYOUTS`.
#[macro_export]
macro_rules! element {
    ($file:literal; $($(#[$doc:meta])* struct $name:ident { $($(#[$about:meta])* $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
            pub struct $name {
                $($(#[$about])* pub $field: $kind,)*
            }

            impl Default for $name {
                fn default() -> Self {
                    bytemuck::Zeroable::zeroed()
                }
            }

            impl $crate::gpu::element::Word for $name {
                const SCALAR: $crate::gpu::element::Scalar = $crate::gpu::element::Scalar::Struct;
            }

            impl $crate::gpu::element::Element for $name {
                const LAYOUT: $crate::gpu::element::Layout = $crate::gpu::element::Layout {
                    file: $file,
                    name: stringify!($name),
                    size: size_of::<$name>(),
                    members: &[$($crate::gpu::element::Member {
                        name: stringify!($field),
                        offset: std::mem::offset_of!($name, $field),
                        size: size_of::<$kind>(),
                        scalar: <$kind as $crate::gpu::element::Word>::SCALAR,
                    }),*],
                };
            }
        )*

        /// What there is to compare with WGSL.
        pub const LAYOUTS: &[$crate::gpu::element::Layout] =
            &[$(<$name as $crate::gpu::element::Element>::LAYOUT),*];
    };
}
