//! The words that the pieces of one make: every choice among braces, every value of a variable.
//!
//! As many as are looked at, and no more letters of them than may be: what remains is said to be unknown.

use super::super::super::command::Word;
use super::{Known, MOST, Piece, unknown, word};

impl Known<'_> {
    /// Every way to choose among braces.
    pub(super) fn braced(&self, pieces: Vec<Piece>, left: &mut usize) -> Vec<Vec<Piece>> {
        if *left == 0 || !self.spend(pieces.len()) {
            *left = 0;
            return Vec::new();
        }
        let is = |piece: &Piece, sign: char| matches!(piece, Piece::Brace(c) if *c == sign);
        let opens = (0..pieces.len()).filter(|at| is(&pieces[*at], '{'));
        for open in opens.collect::<Vec<_>>() {
            let (mut depth, mut cuts, mut close) = (0, vec![open], None);
            for (at, piece) in pieces.iter().enumerate().skip(open) {
                match piece {
                    Piece::Brace('{') => depth += 1,
                    Piece::Brace(',') if depth == 1 => cuts.push(at),
                    Piece::Brace('}') => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    close = Some(at);
                    break;
                }
            }
            let Some(close) = close else { continue };
            let (head, tail) = (&pieces[..open], &pieces[close + 1..]);
            if cuts.len() == 1 {
                let dots = pieces[open..close]
                    .windows(2)
                    .any(|pair| matches!(pair, [Piece::Letter('.'), Piece::Letter('.')]));
                if !dots {
                    continue;
                }
                let range = [Piece::Words(vec![unknown("")])];
                return self.braced([head, &range, tail].concat(), left);
            }
            cuts.push(close);
            let parts = cuts.windows(2).map(|cut| &pieces[cut[0] + 1..cut[1]]);
            let parts = parts.take(*left);
            let whole = parts.map(|part| [head, part, tail].concat());
            return whole
                .collect::<Vec<_>>()
                .into_iter()
                .flat_map(|whole| self.braced(whole, left))
                .collect();
        }
        *left -= 1;
        vec![pieces]
    }

    /// The words that pieces make.
    pub(super) fn joined(&self, pieces: &[Piece]) -> Vec<Word> {
        let mut words = vec![word("")];
        let has_pattern = pieces.iter().any(|piece| match piece {
            Piece::Pattern(_) => true,
            Piece::Words(words) => words.iter().any(|word| word.glob),
            _ => false,
        });
        for piece in pieces {
            match piece {
                Piece::Letter(c) | Piece::Brace(c) => {
                    // In a pattern any one character stands for one that is quoted.
                    let quoted = has_pattern && "*?[\\".contains(*c);
                    words
                        .iter_mut()
                        .for_each(|word| word.text.push(if quoted { '?' } else { *c }));
                }
                Piece::Pattern(c) => words.iter_mut().for_each(|word| {
                    word.text.push(*c);
                    word.glob = true;
                }),
                Piece::Words(all) => {
                    let each = |before: &Word| -> Vec<Word> {
                        let next = |one: &Word| Word {
                            text: format!("{}{}", before.text, one.text),
                            glob: before.glob || one.glob,
                            home: false,
                            unknown: before.unknown || one.unknown,
                        };
                        all.iter().map(next).collect()
                    };
                    words = words.iter().flat_map(each).take(MOST).collect();
                    if !self.spend(words.iter().map(|word| word.text.len()).sum()) {
                        return vec![unknown("")];
                    }
                }
            }
        }
        words
    }
}
