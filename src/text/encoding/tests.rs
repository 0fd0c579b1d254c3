//! Encodings by example, and the law: encoding what was decoded gives the same bytes.

use proptest::prelude::*;

use super::*;

fn read(bytes: &[u8]) -> (String, String) {
    let decoded = decode(bytes, None).unwrap();
    assert_eq!(decoded.encoding.encode(&decoded.text).unwrap(), bytes);
    (decoded.text, decoded.encoding.to_string())
}

fn known(text: &str, encoding: &str) -> (String, String) {
    (text.to_owned(), encoding.to_owned())
}

#[test]
fn knows_the_encodings_by_their_content() {
    assert_eq!(read(b""), known("", "utf-8"));
    assert_eq!(read("é漢\n".as_bytes()), known("é漢\n", "utf-8"));
    assert_eq!(read(b"\xef\xbb\xbfa\r\n"), known("a\r\n", "utf-8-bom"));
    assert_eq!(read(b"\xff\xfeh\0i\0"), known("hi", "utf-16le-bom"));
    assert_eq!(
        read(b"\xfe\xff\0h\xd8\x3e\xdd\x80"),
        known("h🦀", "utf-16be-bom")
    );
    assert_eq!(read(b"h\0i\0\n\0"), known("hi\n", "utf-16le"));
    assert_eq!(read(b"\0h\0i\0\n"), known("hi\n", "utf-16be"));
    assert_eq!(
        read(b"caf\xe9 cr\xe8me\n"),
        known("café crème\n", "windows-1252")
    );
}

#[test]
fn guesses_legacy_encodings_that_go_back_to_the_same_bytes() {
    let chinese = "中文编码测试，这是一个简体中文文件。\n".repeat(3);
    let (gbk, _, _) = encoding_rs::GBK.encode(&chinese);
    assert_eq!(read(&gbk), (chinese, "gbk".to_owned()));
    let japanese = "これは日本語のテキストです。漢字とカタカナ。\n".repeat(3);
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(&japanese);
    assert_eq!(read(&sjis), (japanese, "shift_jis".to_owned()));
    let russian = "Это русский текст в старой кодировке.\n".repeat(3);
    let (cyrillic, _, _) = encoding_rs::WINDOWS_1251.encode(&russian);
    assert_eq!(read(&cyrillic), (russian, "windows-1251".to_owned()));
}

#[test]
fn takes_off_one_mark_and_no_more() {
    assert_eq!(
        read(b"\xef\xbb\xbf\xef\xbb\xbfx"),
        known("\u{feff}x", "utf-8-bom")
    );
    assert_eq!(
        read(b"\xff\xfe\xff\xfex\0"),
        known("\u{feff}x", "utf-16le-bom")
    );
}

#[test]
fn bytes_with_a_broken_mark_are_still_read() {
    for bytes in [
        &b"\xef\xbb\xbf\xff"[..],
        b"\xff\xfea",
        b"\xff\xfe\x00\xd8",
        b"\xef\xbb",
    ] {
        let (_, encoding) = read(bytes);
        assert!(!encoding.starts_with("utf"), "{bytes:?}: {encoding}");
    }
}

#[test]
fn judges_text_by_its_content() {
    for text in [
        &b""[..],
        b"plain",
        b"caf\xe9",
        b"\x1b[31mred\x1b[0m\n",
        b"\xff\xfeh\0i\0",
        b"h\0i\0",
        "é漢".as_bytes(),
    ] {
        assert!(!is_binary(text), "{text:?}");
    }
    for other in [
        &b"\x7fELF\x02\x01\x01\0\0"[..],
        b"abc\0def",
        b"\x01\x02\x03\x04abc",
        b"\0",
        b"\0\0\0\0",
        b"\xff\xfe\0\0a\0\0\0",
        b"\x01\0\x02\0\x03\0",
    ] {
        assert!(is_binary(other), "{other:?}");
    }
}

#[test]
fn a_start_cut_inside_a_character_is_still_text() {
    let crab = "a🦀🦀🦀🦀🦀🦀".as_bytes();
    for cut in 0..crab.len() {
        assert_eq!(detect_start(&crab[..cut]), Some(Encoding::UTF_8), "{cut}");
    }
    let utf16 = Encoding::for_label("utf-16").unwrap();
    let bytes = utf16.encode("aé🦀🦀🦀").unwrap();
    for cut in 2..bytes.len() {
        assert_eq!(detect_start(&bytes[..cut]), Some(utf16), "{cut}");
    }
    assert_eq!(detect_start(b"\x7fELF\0\0"), None);
}

#[test]
fn reads_labels_as_people_write_them() {
    for (label, name) in [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ("utf_8", "utf-8"),
        ("utf-8-sig", "utf-8-bom"),
        ("gbk", "gbk"),
        ("GB18030", "gb18030"),
        ("latin1", "windows-1252"),
        ("cp936", "gbk"),
        ("iso-8859-1", "windows-1252"),
        ("ISO_8859-15", "iso-8859-15"),
        ("koi8-r", "koi8-r"),
        ("shift_jis", "shift_jis"),
        ("shift-jis", "shift_jis"),
        ("sjis", "shift_jis"),
        ("utf-16", "utf-16le-bom"),
        ("utf-16le", "utf-16le"),
        ("utf-16be", "utf-16be"),
        ("windows-1252", "windows-1252"),
        (" big5 ", "big5"),
        ("euc-jp", "euc-jp"),
    ] {
        let encoding = Encoding::for_label(label).unwrap();
        assert_eq!(encoding.to_string(), name, "{label}");
        assert_eq!(Encoding::for_label(name), Ok(encoding));
    }
}

#[test]
fn a_label_nobody_knows_names_the_nearest() {
    let error = Encoding::for_label("windows-1225").unwrap_err();
    assert_eq!(error.to_string(), "there is no encoding `windows-1225`");
    let DecodeError::UnknownLabel { near, .. } = error else {
        panic!("{error:?}");
    };
    assert!(near.starts_with("did you mean `windows-125"), "{near}");
    for label in ["", "iso-2022-cn", "latin1-bom", "\0"] {
        assert!(Encoding::for_label(label).is_err(), "{label:?}");
    }
}

#[test]
fn a_label_decides_and_says_where_it_does_not_fit() {
    let utf16 = decode(b"\xfe\xff\0a", Some("utf-16")).unwrap();
    assert_eq!((utf16.text.as_str(), utf16.exact), ("a", true));
    assert_eq!(decode(b"a\0", Some("utf-16")).unwrap().text, "a");
    for (bytes, label, at) in [
        (&b"ab\xff"[..], "utf-8", 2),
        (b"\xef\xbb\xbfa\xff", "utf-8", 4),
        (b"a\0b", "utf-16le", 2),
        (b"a\0\0\xd8b\0", "utf-16le", 2),
        (b"abc\xff", "shift_jis", 3),
    ] {
        match decode(bytes, Some(label)) {
            Err(DecodeError::Malformed { position, .. }) => assert_eq!(position, at, "{bytes:?}"),
            other => panic!("{bytes:?}: {other:?}"),
        }
    }
    let twice = decode(b"\x87\x90", Some("shift_jis")).unwrap();
    assert!(!twice.exact, "two byte sequences mean {:?}", twice.text);
}

#[test]
fn says_which_character_has_no_bytes() {
    let latin = Encoding::for_label("latin1").unwrap();
    let long = "é".repeat(5000) + "漢";
    let error = latin.encode(&long).unwrap_err();
    assert_eq!((error.character, error.position), ('漢', 10_000));
    assert!(error.to_string().contains("U+6F22"), "{error}");
}

fn anything() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<Vec<u8>>(),
        "[ -~\r\n]{0,20}".prop_map(String::into_bytes),
        "\\PC{0,8}".prop_map(String::into_bytes),
        prop_oneof![
            Just("gbk"),
            Just("shift_jis"),
            Just("utf-16"),
            Just("euc-kr"),
            Just("big5")
        ]
        .prop_flat_map(|label| "[ぁ-ん一-丕a-z\n]{0,20}".prop_map(move |text| {
            Encoding::for_label(label)
                .unwrap()
                .encode(&text)
                .unwrap_or_default()
        })),
        prop::sample::select(vec![
            b"\xef\xbb\xbf".to_vec(),
            b"\xff\xfe".to_vec(),
            b"\xfe\xff".to_vec(),
            b"\r\n".to_vec(),
            b"h\0i\0".to_vec(),
            b"\0h\0i".to_vec(),
            b"\x1b$B".to_vec(),
            b"\x80\xff".to_vec(),
        ]),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn encoding_what_was_decoded_gives_the_same_bytes(bytes in anything()) {
        let decoded = decode(&bytes, None).unwrap();
        prop_assert!(decoded.exact);
        prop_assert_eq!(decoded.encoding.encode(&decoded.text).unwrap(), bytes);
        prop_assert_eq!(Encoding::for_label(&decoded.encoding.to_string()), Ok(decoded.encoding));
    }

    #[test]
    fn exact_means_that_the_bytes_come_back(bytes in anything(), label in prop::sample::select(
        vec!["gbk", "gb18030", "shift_jis", "euc-jp", "big5", "iso-2022-jp", "utf-16", "latin1"],
    )) {
        if let Ok(decoded) = decode(&bytes, Some(label)) {
            let again = decoded.encoding.encode(&decoded.text);
            prop_assert_eq!(decoded.exact, again == Ok(bytes));
        }
    }
}
