//! Whether calls go round in a circle: the same call three times, or a cycle of up to four calls three times.
//!
//! Pure: what makes two calls the same, and two results, is settled by whoever compares them.

/// How many calls the longest cycle has that is seen.
const LONGEST: usize = 4;

/// How often a cycle is gone through before it is one.
const TIMES: usize = 3;

/// How many finished calls have a say in whether the next one closes a circle.
pub const REMEMBERED: usize = TIMES * LONGEST - 1;

/// How many calls the cycle has that `next` would go through for the third time; `None` where there is no such
/// cycle. `done` are the finished calls, the oldest first, each with its result: all results but the one to come
/// must have been the same each time.
pub fn repetition<C: PartialEq, R: PartialEq>(done: &[(C, R)], next: &C) -> Option<usize> {
    (1..=LONGEST).find(|length| {
        let start = (done.len() + 1).checked_sub(TIMES * length);
        let Some(last) = start.and_then(|start| done.get(start..)) else {
            return false;
        };
        let is_before = last.len().checked_sub(*length).and_then(|at| last.get(at));
        let mut pairs = last.iter().zip(last.iter().skip(*length));
        is_before.is_some_and(|(call, _)| call == next) && pairs.all(|(one, again)| one == again)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls are letters, and a result is a digit behind its call, 0 unless there is one.
    fn length(done: &str, next: char) -> Option<usize> {
        let mut calls: Vec<(char, u32)> = Vec::new();
        for letter in done.chars() {
            match (letter.to_digit(10), calls.last_mut()) {
                (Some(result), Some(last)) => last.1 = result,
                _ => calls.push((letter, 0)),
            }
        }
        repetition(&calls, &next)
    }

    #[test]
    fn the_third_time_is_seen_and_no_earlier() {
        for (done, next, expected) in [
            ("", 'a', None),
            ("a", 'a', None),
            ("aa", 'a', Some(1)),
            ("xyaa", 'a', Some(1)),
            ("aaa", 'a', Some(1)),
            ("aa", 'b', None),
            ("aab", 'a', None),
            ("aba", 'a', None),
            ("abab", 'a', None),
            ("ababa", 'b', Some(2)),
            ("ababa", 'c', None),
            ("babab", 'a', Some(2)),
            ("abcabcab", 'c', Some(3)),
            ("abcdabcdabc", 'd', Some(4)),
            ("aabaabaa", 'b', Some(3)),
            ("abcdeabcdeabcd", 'e', None),
        ] {
            assert_eq!(length(done, next), expected, "{done} {next}");
        }
    }

    #[test]
    fn another_result_begins_anew() {
        for (done, next, expected) in [
            ("a1a1", 'a', Some(1)),
            ("a1a2", 'a', None),
            ("a1a2a2", 'a', Some(1)),
            ("a1b1a1b1a1", 'b', Some(2)),
            ("a1b1a1b2a1", 'b', None),
            ("a1b1a1b1a2", 'b', None),
        ] {
            assert_eq!(length(done, next), expected, "{done} {next}");
        }
    }

    #[test]
    fn no_more_than_what_is_remembered_has_a_say() {
        let longest = "abcd".repeat(3);
        let done = &longest[..REMEMBERED];
        assert_eq!(length(done, 'd'), Some(LONGEST));
        assert_eq!(length(&done[1..], 'd'), None, "all of them have");
    }
}
