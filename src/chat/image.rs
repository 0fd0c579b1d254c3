//! Images: those that a user, or a tool's result, shows to a model.
//!
//! They are handed on as they are. What no provider takes is refused before it is asked.

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use crate::text::counted;

/// An image, as every wire takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// `image/png`, `image/jpeg`, …
    pub media_type: String,
    /// The bytes in base64, with padding.
    pub data: String,
}

impl Image {
    /// The largest image that every provider takes, in bytes: 5 MiB in base64.
    const MOST_BYTES: usize = 3840 * 1024;

    /// The kinds that every provider takes, as their first bytes tell; `None` for all else.
    pub fn kind_of(bytes: &[u8]) -> Option<&'static str> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
            [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some("image/webp"),
            _ => None,
        }
    }

    /// Why no model takes an image of so many bytes, behind the words for it; `None` where every one does.
    pub fn excess(bytes: usize) -> Option<String> {
        (bytes > Self::MOST_BYTES).then(|| {
            format!(
                "is an image of {}, and a model takes {} at most",
                counted(bytes, "byte"),
                counted(Self::MOST_BYTES, "byte")
            )
        })
    }

    /// An image from its bytes.
    pub fn new(media_type: impl Into<String>, bytes: &[u8]) -> Image {
        Image {
            media_type: media_type.into(),
            data: BASE64.encode(bytes),
        }
    }

    /// What stands for the image where the model takes none.
    pub(super) fn stand_in(&self) -> String {
        format!(
            "[an image ({}) that this model cannot see]",
            self.media_type
        )
    }

    /// The image as a `data:` URL.
    pub(super) fn url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}
