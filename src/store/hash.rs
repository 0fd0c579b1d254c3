//! The name of a content: its BLAKE3 hash. Two contents with one hash are taken to be the same bytes.
//! It is written as 64 hexadecimal digits and read back strictly.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use crate::error::ToolError;

/// 32 bytes of BLAKE3; shown and parsed as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(*blake3::hash(bytes).as_bytes())
    }

    /// The hash of everything `reader` gives, in constant memory.
    pub fn of_reader(reader: impl Read) -> io::Result<Hash> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(reader)?;
        Ok(Hash(*hasher.finalize().as_bytes()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl FromStr for Hash {
    type Err = ToolError;

    /// Exactly the shown form; anything else is an `argument` error.
    fn from_str(text: &str) -> Result<Hash, ToolError> {
        let lowercase = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        match blake3::Hash::from_hex(text) {
            Ok(hash) if lowercase => Ok(Hash(*hash.as_bytes())),
            _ => Err(ToolError::argument(
                "not a hash: expected 64 lowercase hexadecimal digits",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_back_from_its_shown_form() {
        let hash = Hash::of(b"abc");
        let shown = hash.to_string();
        assert_eq!(
            shown,
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
        );
        assert_eq!(shown.parse::<Hash>(), Ok(hash));
        assert_eq!(Hash::of_reader(&b"abc"[..]).unwrap(), hash);
    }

    #[test]
    fn refuses_every_other_form() {
        let shown = Hash::of(b"abc").to_string();
        for wrong in [
            "",
            "6437",
            &shown.to_uppercase(),
            &format!("{shown}0"),
            &"../".repeat(22)[..64],
        ] {
            assert!(wrong.parse::<Hash>().is_err(), "{wrong}");
        }
    }
}
