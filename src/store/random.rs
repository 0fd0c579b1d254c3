//! Names that nobody can guess, from the random source of the operating system.
//! No clock and no counter goes into them.

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

/// Whether `text` has the shape of a [`token`] of `digits` digits.
pub(super) fn is_token(text: &str, digits: usize) -> bool {
    text.len() == digits
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_another_token_every_time() {
        let tokens: std::collections::HashSet<_> = (0..1000).map(|_| token().unwrap()).collect();
        assert_eq!(tokens.len(), 1000);
        assert!(tokens.iter().all(|token| is_token(token, 16)));
    }
}
