//! Output within bounds: all of it, or its start and its end with a mark where bytes were dropped.
//!
//! Memory never exceeds the limit, however much comes. No character is broken at the cut.

use std::collections::VecDeque;

use crate::text::counted;

/// What was kept of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The bytes, with `[… N bytes dropped …]` on a line of its own where some are missing.
    pub bytes: Vec<u8>,
    /// How many bytes are missing; 0: none.
    pub dropped: u64,
}

/// A stream being captured.
#[derive(Debug)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    head_room: usize,
    tail_room: usize,
    dropped: u64,
}

impl Capture {
    /// Keeps at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Capture {
        Capture {
            head: Vec::new(),
            tail: VecDeque::new(),
            head_room: limit / 2,
            tail_room: limit - limit / 2,
            dropped: 0,
        }
    }

    /// Takes the next bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let space = self.head_room - self.head.len();
        let (first, rest) = bytes.split_at(space.min(bytes.len()));
        self.head.extend_from_slice(first);
        let (skipped, last) = rest.split_at(rest.len().saturating_sub(self.tail_room));
        let over = (self.tail.len() + last.len()).saturating_sub(self.tail_room);
        self.tail.drain(..over);
        self.tail.extend(last);
        self.dropped += (skipped.len() + over) as u64;
    }

    /// What was kept.
    pub(super) fn finish(mut self) -> Captured {
        let mut bytes = self.head;
        let tail: &[u8] = self.tail.make_contiguous();
        if self.dropped == 0 {
            bytes.extend_from_slice(tail);
            return Captured { bytes, dropped: 0 };
        }
        let broken = unfinished(&bytes);
        bytes.truncate(bytes.len() - broken);
        let begins = tail
            .iter()
            .take(3)
            .take_while(|byte| is_inner(**byte))
            .count();
        let dropped = self.dropped + (broken + begins) as u64;
        bytes.extend_from_slice(
            format!("\n[… {} dropped …]\n", counted(dropped as usize, "byte")).as_bytes(),
        );
        bytes.extend_from_slice(&tail[begins..]);
        Captured { bytes, dropped }
    }
}

/// How many bytes at the end of `bytes` begin a UTF-8 character whose rest has not come: 0 to 3.
pub(super) fn unfinished(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(3).enumerate() {
        let needed = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            byte if is_inner(*byte) => continue,
            _ => return 0,
        };
        return if needed > back + 1 { back + 1 } else { 0 };
    }
    0
}

/// Whether a byte stands inside a UTF-8 character, never at its start.
fn is_inner(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn captured(limit: usize, chunks: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(limit);
        for chunk in chunks {
            capture.push(chunk);
        }
        capture.finish()
    }

    #[test]
    fn keeps_everything_up_to_the_limit_and_both_ends_beyond_it() {
        assert_eq!(captured(8, &[b"abcd", b"efgh"]).bytes, b"abcdefgh");
        let over = captured(8, &[b"abcd", b"efghi"]);
        assert_eq!(over.bytes, "abcd\n[… 1 byte dropped …]\nfghi".as_bytes());
        assert_eq!(over.dropped, 1);
        assert_eq!(captured(8, &[&[b'x'; 1000]]).dropped, 992);
        assert_eq!(captured(0, &[b"abc"]).dropped, 3);
    }

    #[test]
    fn knows_a_character_whose_rest_has_not_come() {
        for (bytes, wanted) in [
            (&b"abc"[..], 0),
            ("é".as_bytes(), 0),
            (&"é".as_bytes()[..1], 1),
            (&"漢".as_bytes()[..2], 2),
            (&"🦀".as_bytes()[..3], 3),
            (b"\xff\xfe\0", 0),
            (b"\x80\x80\x80\x80", 0),
        ] {
            assert_eq!(unfinished(bytes), wanted, "{bytes:x?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

        #[test]
        fn is_bounded_and_breaks_no_character(
            text in "[a-zé漢🦀]{0,60}",
            cuts in proptest::collection::vec(0usize..200, 0..5),
            limit in 0usize..100,
        ) {
            let mut capture = Capture::new(limit);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            for pair in cuts.windows(2) {
                capture.push(&text.as_bytes()[pair[0]..pair[1]]);
                prop_assert!(capture.head.len() + capture.tail.len() <= limit);
            }
            let captured = capture.finish();
            let shown = String::from_utf8(captured.bytes).unwrap();
            let mark = format!("\n[… {} dropped …]\n", counted(captured.dropped as usize, "byte"));
            match shown.split_once(&mark) {
                Some((head, tail)) => {
                    prop_assert!(text.starts_with(head) && text.ends_with(tail));
                    prop_assert_eq!(text.len() as u64 - captured.dropped, (head.len() + tail.len()) as u64);
                    prop_assert!(captured.dropped >= text.len().saturating_sub(limit) as u64);
                }
                None => prop_assert_eq!(shown, text),
            }
        }
    }
}
