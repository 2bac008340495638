//! Uniform blocks: [`uniform!`](crate::uniform) makes the struct that the host fills in. `encase` lays it out by the rules of
//! WGSL, so that nobody writes padding or strides; `tests/passes/layout.rs` compares all blocks with naga.

use encase::internal::{CreateFrom, WriteInto};
use encase::{ShaderSize, ShaderType, StorageBuffer};

/// A uniform block.
pub trait Uniform: ShaderType + ShaderSize + WriteInto + CreateFrom {
    /// name of the WGSL struct
    const NAME: &'static str;

    /// Members in order, each with its own bytes.
    fn members(&self) -> Vec<(&'static str, Vec<u8>)>;
}

/// What a shader reads for `value`.
pub fn bytes<T: ShaderType + WriteInto>(value: &T) -> Vec<u8> {
    let mut buffer = StorageBuffer::new(Vec::new());
    buffer.write(value).expect("a vector grows");
    buffer.into_inner()
}

/// Bytes of a block.
pub const fn size<T: ShaderSize>() -> u32 {
    T::SHADER_SIZE.get() as u32
}

/// Makes a [`Uniform`]: a struct whose members have the names of those in WGSL.
#[macro_export]
macro_rules! uniform {
    ($(#[$doc:meta])* struct $name:ident { $($(#[$of:meta])* $member:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, encase::ShaderType)]
        pub struct $name {
            $($(#[$of])* pub $member: $ty,)+
        }

        impl $crate::gpu::uniform::Uniform for $name {
            const NAME: &'static str = stringify!($name);

            fn members(&self) -> Vec<(&'static str, Vec<u8>)> {
                vec![$((stringify!($member), $crate::gpu::uniform::bytes(&self.$member)),)+]
            }
        }
    };
}
