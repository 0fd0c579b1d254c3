//! What a typed line says to a question: a yes, a number, the text of a choice, or words of their own.
//!
//! Nothing is asked here; what is no answer is asked about again.

use crate::tool::{Said, Wants};

/// What a typed line says, if it is an answer.
pub(super) fn understood(typed: &str, wants: &Wants) -> Option<Said> {
    let word = typed.trim();
    match wants {
        Wants::YesNo(default) => match word.to_lowercase().as_str() {
            "" => default.map(Said::YesNo),
            "y" | "yes" => Some(Said::YesNo(true)),
            "n" | "no" => Some(Said::YesNo(false)),
            _ => None,
        },
        Wants::Line { default, .. } => {
            let default = default.clone().filter(|_| typed.is_empty());
            Some(Said::Line(default.unwrap_or_else(|| typed.to_owned())))
        }
        Wants::Choice { default, .. } if word.is_empty() => default.map(Said::Choice),
        Wants::Choice { choices, .. } => {
            let labels: Vec<&str> = choices.iter().map(String::as_str).collect();
            place(word, &labels).map(Said::Choice)
        }
        Wants::Open { .. } if word.is_empty() => None,
        Wants::Open { choices, several } => {
            let labels: Vec<&str> = choices.iter().map(|choice| &*choice.label).collect();
            chosen(word, &labels, *several)
        }
    }
}

/// The place of the label that is `word`, or that has this number.
fn place(word: &str, labels: &[&str]) -> Option<usize> {
    let by_text = labels.iter().position(|label| label.trim() == word);
    let number = word.parse::<usize>().ok();
    let by_number = number.and_then(|number| number.checked_sub(1));
    by_text.or(by_number.filter(|at| *at < labels.len()))
}

/// What of `labels` is chosen, or the line itself where it is none of them. Numbers that lead nowhere, and several
/// choices where one is due, are no answer.
fn chosen(line: &str, labels: &[&str], several: bool) -> Option<Said> {
    if let Some(place) = place(line, labels) {
        return Some(Said::Choices(vec![place]));
    }
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    let places: Option<Vec<usize>> = words.iter().map(|word| place(word, labels)).collect();
    match places {
        Some(mut places) if several => {
            places.sort_unstable();
            places.dedup();
            Some(Said::Choices(places))
        }
        Some(_) => None,
        None if words.iter().all(|word| word.parse::<usize>().is_ok()) => None,
        None => Some(Said::Line(line.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Offer;

    #[test]
    fn an_answer_is_a_yes_a_number_or_a_text_and_nothing_is_the_default() {
        let yes_no = Wants::YesNo(None);
        assert_eq!(understood(" Yes ", &yes_no), Some(Said::YesNo(true)));
        assert_eq!(understood("n", &yes_no), Some(Said::YesNo(false)));
        assert_eq!(understood("", &yes_no), None);
        assert_eq!(understood("perhaps", &yes_no), None);
        let default = Wants::YesNo(Some(false));
        assert_eq!(understood("", &default), Some(Said::YesNo(false)));
        let line = Wants::Line {
            default: Some("d".to_owned()),
            is_secret: false,
        };
        assert_eq!(understood("", &line), Some(Said::Line("d".to_owned())));
        assert_eq!(understood(" a ", &line), Some(Said::Line(" a ".to_owned())));
        let choice = Wants::Choice {
            choices: vec!["red".to_owned(), "2".to_owned(), "blue".to_owned()],
            default: Some(2),
        };
        for (typed, place) in [("1", 0), ("red", 0), ("2", 1), ("3", 2), ("", 2)] {
            assert_eq!(understood(typed, &choice), Some(Said::Choice(place)));
        }
        for typed in ["0", "4", "rde", "-1"] {
            assert_eq!(understood(typed, &choice), None);
        }
    }

    #[test]
    fn an_open_question_takes_numbers_labels_and_words() {
        let wants = |several| Wants::Open {
            choices: ["red, light", "blue", "7"]
                .map(|label| Offer {
                    label: label.to_owned(),
                    about: None,
                })
                .into(),
            several,
        };
        let places = |places: &[usize]| Some(Said::Choices(places.to_vec()));
        for several in [true, false] {
            let wants = wants(several);
            assert_eq!(understood(" 2 ", &wants), places(&[1]));
            assert_eq!(understood("red, light", &wants), places(&[0]));
            assert_eq!(understood("7", &wants), places(&[2]));
            let own = "blue, but darker";
            assert_eq!(understood(own, &wants), Some(Said::Line(own.to_owned())));
            for none in ["", "9", "0", "1, 9"] {
                assert_eq!(understood(none, &wants), None, "{none}");
            }
        }
        assert_eq!(understood("blue,1, 2", &wants(true)), places(&[0, 1]));
        assert_eq!(understood("1,2", &wants(false)), None);
    }
}
