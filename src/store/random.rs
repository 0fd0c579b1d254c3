//! Names that nobody can guess, from the random source of the operating system.

use crate::error::{Kind, ToolError};

/// 16 lowercase hexadecimal digits: 64 random bits. A `resource` error when the system has none to give.
pub fn token() -> Result<String, ToolError> {
    let mut bytes = [0u8; 8];
    let mut filled = 0;
    while filled < bytes.len() {
        match rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => {
                let message = format!("the system gives no random bytes: {error}");
                return Err(ToolError::new(Kind::Resource, message));
            }
        }
    }
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
