//! The labels of encodings, spelt as people spell them: those of the WHATWG standard, without regard
//! to case, with `_` and `-` alike, and a few names that other systems use.

use super::utf16::Order;
use super::{Charset, DecodeError, Encoding};
use crate::text::suggestion;

/// Names from other systems, with the standard's label.
const ALIASES: [(&str, &str); 14] = [
    ("utf-8-sig", "utf-8-bom"),
    ("utf8-bom", "utf-8-bom"),
    ("utf8bom", "utf-8-bom"),
    ("utf16", "utf-16"),
    ("utf16le", "utf-16le"),
    ("utf-16-le", "utf-16le"),
    ("utf16be", "utf-16be"),
    ("utf-16-be", "utf-16be"),
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("latin-1", "latin1"),
    ("eucjp", "euc-jp"),
];

/// What a misspelt label is compared with.
const SUGGESTED: [&str; 32] = [
    "utf-8",
    "utf-8-bom",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "ascii",
    "latin1",
    "latin2",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-5",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "koi8-r",
    "koi8-u",
    "gbk",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "macintosh",
];

/// The encoding called `label`, for a text that is not there yet.
pub(super) fn find(label: &str) -> Result<Encoding, DecodeError> {
    let name = label.trim().to_ascii_lowercase();
    [name.clone(), name.replace('_', "-"), name.replace('-', "_")]
        .iter()
        .find_map(|name| known(name))
        .ok_or_else(|| DecodeError::UnknownLabel {
            label: label.to_owned(),
            near: suggestion(&name, SUGGESTED),
        })
}

/// The encoding called `label` as `bytes` use it: with a byte order mark if they have one, and
/// `utf-16` in the order that their mark shows.
pub(super) fn for_bytes(label: &str, bytes: &[u8]) -> Result<Encoding, DecodeError> {
    let encoding = find(label)?;
    let any_order = encoding.bom && matches!(encoding.charset, Charset::Utf16(_));
    if any_order && bytes.starts_with(b"\xfe\xff") {
        return Ok(utf16(Order::Big, true));
    }
    Ok(encoding.marked_as(bytes))
}

fn known(name: &str) -> Option<Encoding> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, standard)| standard);
    if let Some(bare) = name.strip_suffix("-bom") {
        let encoding = known(bare)?;
        let marked = Encoding {
            bom: true,
            ..encoding
        };
        return (!encoding.mark().is_empty()).then_some(marked);
    }
    if name == "utf-16" {
        return Some(utf16(Order::Little, true));
    }
    let standard = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes())?;
    Some(match standard {
        _ if standard == encoding_rs::UTF_8 => Encoding::UTF_8,
        _ if standard == encoding_rs::UTF_16LE => utf16(Order::Little, false),
        _ if standard == encoding_rs::UTF_16BE => utf16(Order::Big, false),
        _ => Encoding::legacy(standard),
    })
}

fn utf16(order: Order, bom: bool) -> Encoding {
    Encoding {
        charset: Charset::Utf16(order),
        bom,
    }
}
