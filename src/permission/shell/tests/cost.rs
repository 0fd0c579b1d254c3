//! What lines cost that are made to cost much: each is given up by a count, or looked at once.
//!
//! Counts, never times. Were one of these quadratic again, its row alone would take minutes.

use super::*;

/// The longest lines of every sign that nests, repeats or redirects.
fn lines() -> Vec<String> {
    const REPEATED: [&str; 50] = [
        "a=(",
        "<<E\n",
        "cat <<E\nE\n",
        ">&",
        ">&1 ",
        "> a ",
        "a > a;",
        "<(a) ",
        "$(a) ",
        "$(",
        "case x in ",
        "((",
        "((1));",
        "(",
        "f(){ ",
        "f(){ a; };",
        "\"$(",
        "'a' ",
        "\\\n",
        "a|",
        "a;",
        "a&&",
        "{a,",
        "{ ",
        "${x:-",
        "${x}",
        "`a` ",
        "`",
        "if a; then ",
        "x=1 ",
        "x=1;",
        "cd a;",
        "cd b||",
        "bash -c 'a b';",
        "bash -c ",
        "sudo ",
        " #",
        "a #x\n",
        " <<<x",
        "v=$v;rm $v;",
        "! ",
        "for((;;)) do a; done;",
        "a[",
        "a[1]=1 ",
        "{1..9} ",
        "@(",
        "$'",
        "\"a",
        "{",
        "<",
    ];
    const SURROUNDED: [(&str, &str, &str); 9] = [
        ("eval ", "eval ", "{ ("),
        ("bash -c 'bash -c \"", "eval a; ", "{ (\"'"),
        ("rm ", "{a,b}", ""),
        ("rm {", "a,", "}"),
        ("v=a;rm ", "$v", ""),
        ("[[ ", "<", " ]]"),
        ("[[ a =~ ", "(a)", " ]]"),
        ("case x in ", "x) a;; ", "esac"),
        ("cat <<E ", "<<E ", "\nE\n"),
    ];
    let surrounded = SURROUNDED.map(|(head, sign, tail)| {
        let count = (LONGEST - head.len() - tail.len()) / sign.len();
        format!("{head}{}{tail}", sign.repeat(count))
    });
    let repeated = REPEATED.map(|sign| sign.repeat(LONGEST / sign.len()));
    repeated.into_iter().chain(surrounded).collect()
}

#[test]
fn the_longest_lines_are_bounded_whatever_is_in_them() {
    for line in lines() {
        let sign: String = line.chars().take(20).collect();
        assert!(line.len() <= LONGEST, "{sign}");
        let read = read(&line);
        assert!(read.commands.len() <= MOST_COMMANDS, "{sign}");
        assert!(read.operands.len() <= 2 * MOST_OPERANDS, "{sign}");
        let places = read.operands.iter().flat_map(|operand| &operand.folders);
        let folders = read.commands.iter().flat_map(|simple| &simple.folders);
        assert!(
            places.chain(folders).all(|folder| folder.len() <= 4_096),
            "{sign}"
        );
        if read.commands.len() == 1 && read.opaque.is_some() {
            assert_eq!(read.commands[0].text, line, "{sign}");
        }
    }
}

#[test]
fn words_inside_of_words_have_an_end() {
    for word in ["${x:-", "{a,", "${x:-{a,", "$(", "{a,b}", "$v"] {
        for count in [60, 200, 800] {
            let line = format!(
                "v=$v v='a b'; rm {} x > {}",
                word.repeat(count),
                word.repeat(count)
            );
            assert!(
                read(&line).commands.iter().all(|simple| !simple.reads),
                "{word}"
            );
        }
    }
    let values = ["a ", "$v "].map(|value| format!("v='{}';", value.repeat(900)));
    assert!(
        read(&format!("{}rm {}", values.concat(), "$v ".repeat(2_000)))
            .operands
            .len()
            <= 2 * MOST_OPERANDS
    );
}

#[test]
fn what_is_fed_as_it_stands_counts_for_nothing() {
    let code =
        "std::vector<std::map<int, std::string>> v; // `x` $(y) ((a << 2) >> 1) | # it's \"\n";
    for (head, reads) in [
        ("cat <<'EOF'", true),
        ("cat > x.cc <<'EOF'", true),
        ("patch -p1 <<'EOF'", false),
    ] {
        let line = format!("{head}\n{}EOF\n", code.repeat(60_000 / code.len()));
        let read = read(&line);
        assert_eq!(read.opaque, None, "{head}");
        assert_eq!(read.commands.len(), 1, "{head}");
        assert_eq!(read.commands[0].reads, reads, "{head}");
    }
}

#[test]
fn what_is_given_up_is_asked_as_a_whole_with_what_it_names() {
    let named = |line: &str| {
        let read = read(line);
        assert!(read.opaque.is_some());
        assert_eq!(read.commands.len(), 1);
        assert_eq!(read.commands[0].text, line);
        let operands = read.operands.into_iter();
        operands
            .map(|operand| (operand.path, operand.group))
            .collect::<Vec<_>>()
    };
    for filler in ["a;".repeat(MOST_COMMANDS + 1), "a=(".repeat(15_000) + "\n"] {
        let found = named(&format!("{filler} cat secret > key; x 2>&1 < b"));
        for (path, group) in [
            ("secret", Group::Read),
            ("key", Group::Edit),
            ("b", Group::Read),
        ] {
            assert!(
                found.contains(&(path.to_owned(), group)),
                "{path}: {found:?}"
            );
        }
        assert!(!found.iter().any(|(path, _)| path == "1"));
    }
    let few = read(&"a;".repeat(MOST_COMMANDS));
    assert_eq!((few.opaque, few.commands.len()), (None, MOST_COMMANDS));
    let many = read(&"a;".repeat(MOST_COMMANDS + 1));
    assert_eq!((many.opaque, many.commands.len()), (Some(MANY), 1));
}
