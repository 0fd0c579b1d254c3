//! UTF-16 in both byte orders, strictly: an odd byte or an unpaired surrogate is an error.
//!
//! The WHATWG encoders write no UTF-16, hence the one here.

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Order::Little => u16::from_le_bytes(pair),
            Order::Big => u16::from_be_bytes(pair),
        }
    }
}

/// The units of `bytes`; an odd last byte is left out.
pub(super) fn units(bytes: &[u8], order: Order) -> impl Iterator<Item = u16> {
    let pairs = bytes.as_chunks().0;
    pairs.iter().map(move |pair| order.unit(*pair))
}

/// The text of `bytes`, or the position of the first byte that does not fit.
pub(super) fn decode(bytes: &[u8], order: Order) -> Result<String, usize> {
    let mut text = String::with_capacity(bytes.len());
    let mut position = 0;
    for character in char::decode_utf16(units(bytes, order)) {
        let character = character.map_err(|_| position)?;
        position += 2 * character.len_utf16();
        text.push(character);
    }
    if bytes.len() % 2 == 1 {
        return Err(bytes.len() - 1);
    }
    Ok(text)
}

/// The bytes of `text`, after a byte order mark if `bom`.
pub(super) fn encode(text: &str, order: Order, bom: bool) -> Vec<u8> {
    let mark = bom.then_some(0xfeff);
    mark.into_iter()
        .chain(text.encode_utf16())
        .flat_map(|unit| match order {
            Order::Little => unit.to_le_bytes(),
            Order::Big => unit.to_be_bytes(),
        })
        .collect()
}
