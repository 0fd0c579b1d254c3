//! The standard's own cases, and what servers send instead of a stream.

use proptest::prelude::*;

use super::*;

/// The events of a body in chunks of `size` bytes, as `name=data`.
fn read(body: &[u8], size: usize) -> Result<Vec<String>, StreamError> {
    let mut events = Events::new();
    let mut found = Vec::new();
    for chunk in body.chunks(size) {
        found.extend(events.push(chunk)?);
    }
    found.extend(events.end()?);
    assert_eq!(events.count(), found.len() as u64);
    Ok(found
        .into_iter()
        .map(|event| format!("{}={}", event.name, event.data))
        .collect())
}

#[test]
fn the_standards_cases() {
    let rows: &[(&str, &[&str])] = &[
        ("data: a\n\ndata: b\n\n", &["=a", "=b"]),
        ("data: a\ndata: b\n\n", &["=a\nb"]),
        ("event: x\ndata:a\n\ndata:  b\n\n", &["x=a", "= b"]),
        (": comment\n\n: more\ndata: a\n\n", &["=a"]),
        ("data\n\ndata\ndata\n\n", &["=\n"]),
        ("event: x\n\ndata: a\n\n", &["=a"]),
        ("\u{feff}data: a\n\n", &["=a"]),
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", &["=a", "=b", "=c"]),
        ("id: 1\nretry: 5\nunknown: x\ndata: é🦀\n\n", &["=é🦀"]),
        ("data: 1\n\ndata: 2", &["=1", "=2"]),
        ("data: 1\n\ndata: [DONE]", &["=1", "=[DONE]"]),
        ("data: 1\n\ndata: {\"half", &["=1"]),
        ("\r\n\r\ndata: a\n\n", &["=a"]),
        ("", &[]),
        (":\n\n:\n\n", &[]),
    ];
    for (body, expected) in rows {
        for size in 1..=body.len().max(1) {
            assert_eq!(
                read(body.as_bytes(), size).unwrap(),
                *expected,
                "{body:?} by {size}"
            );
        }
    }
}

#[test]
fn comments_are_no_events_however_many_come() {
    let mut events = Events::new();
    for _ in 0..1_000 {
        assert_eq!(events.push(b": keep-alive\n\n"), Ok(Vec::new()));
    }
    assert_eq!(events.count(), 0);
    assert_eq!(events.push(b"data: x\n\n").map(|found| found.len()), Ok(1));
    assert_eq!(events.count(), 1);
}

#[test]
fn bytes_that_are_no_text_become_the_mark_for_that() {
    assert_eq!(read(b"data: a\xffb\n\n", 1).unwrap(), ["=a\u{fffd}b"]);
}

#[test]
fn json_in_place_of_a_stream_is_one_event_a_value() {
    let rows: &[(&str, &[&str])] = &[
        ("{\"a\":1}", &["={\"a\":1}"]),
        ("{\"a\":1}\n{\"a\":2}\n", &["={\"a\":1}", "={\"a\":2}"]),
        ("{\"a\":1}\r\n\r\n{\"a\":2}", &["={\"a\":1}", "={\"a\":2}"]),
        ("{\n  \"a\": [\n1]\n}\n", &["={\"a\":[1]}"]),
        ("[{\"a\":1},\n{\"a\":2}]", &["={\"a\":1}", "={\"a\":2}"]),
        ("  [\n{\"a\":\"é\"}\n]\n", &["={\"a\":\"é\"}"]),
        ("{\"a\":1}\n{\"half", &["={\"a\":1}"]),
        ("{\"half", &[]),
    ];
    for (body, expected) in rows {
        for size in 1..=body.len() {
            assert_eq!(
                read(body.as_bytes(), size).unwrap(),
                *expected,
                "{body:?} by {size}"
            );
        }
    }
}

#[test]
fn what_is_no_stream_says_how_it_begins() {
    let page = format!("\n<html>\n<h1>Bad  Gateway</h1>{}", " ".repeat(300));
    for body in ["<html>\n <h1>Bad  Gateway</h1>", &page] {
        let Err(StreamError::NoStream(said)) = read(body.as_bytes(), 3) else {
            panic!("{body}");
        };
        assert_eq!(said, "<html> <h1>Bad Gateway</h1>");
    }
    let said = read(b"upstream connect error\nor so", 4);
    assert_eq!(
        said,
        Err(StreamError::NoStream("upstream connect error".to_owned()))
    );
}

#[test]
fn an_endless_event_is_refused_in_every_form() {
    for start in ["data: ", "x", "{\"a\":\"", "{\n\"a\":\""] {
        let mut events = Events::new();
        let mut ended = events.push(start.as_bytes());
        let more = vec![b'x'; 1 << 20];
        for _ in 0..9 {
            ended = ended.and_then(|_| events.push(&more));
        }
        assert_eq!(ended, Err(StreamError::TooLarge(LIMIT)), "{start:?}");
    }
    let mut events = Events::new();
    let line = format!("data: {}\n", "x".repeat(1 << 20));
    let ended = (0..9).try_for_each(|_| events.push(line.as_bytes()).map(drop));
    assert_eq!(ended, Err(StreamError::TooLarge(LIMIT)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn any_bytes_split_anywhere_are_the_same_events(
        pieces in prop::collection::vec(prop::sample::select(&[
            "data", ":", " ", "\r", "\n", "\r\n", "\n\n", "event: x", "data: é", "{", "}", "[1]", "\"", "🦀", "\u{feff}", "<",
        ][..]), 0..40),
        size in 1usize..9,
    ) {
        let body = pieces.concat();
        prop_assert_eq!(read(body.as_bytes(), size), read(body.as_bytes(), body.len().max(1)));
    }
}
