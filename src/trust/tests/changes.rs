//! What a person sees before saying yes.

use super::super::{State, view};
use super::seen;
use crate::layers::tests::Project;

#[test]
fn shows_what_is_new_changed_and_gone_since_the_last_yes() {
    let project = Project::with(&[
        ".agent/init.lua",
        ".agent/tools/a.lua",
        ".agent/tools/b.lua",
    ]);
    let trust = seen(&project);
    trust.accept(&project.survey()).unwrap();
    project.write(".agent/init.lua", "-- .agent/init.lua\nos.execute('x')\n");
    project.remove(".agent/tools/b.lua");
    project.write(".agent/tools/c.lua", "return nil\n");
    let last = trust.last(&project.workspace.root);
    let shown = view(&project.survey(), last.as_ref());
    let states: Vec<(&str, State)> = shown
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.state))
        .collect();
    assert_eq!(
        states,
        [
            (".agent/init.lua", State::Changed),
            (".agent/tools/a.lua", State::Same),
            (".agent/tools/b.lua", State::Gone),
            (".agent/tools/c.lua", State::New),
        ]
    );
    assert_eq!(
        shown.files[0].diff,
        "--- .agent/init.lua\n+++ .agent/init.lua\n@@ -1 +1,2 @@\n -- .agent/init.lua\n\
         +os.execute('x')\n"
    );
    assert!(shown.files[1].diff.is_empty());
    assert!(shown.files[2].diff.contains("+++ /dev/null"));
    assert!(
        shown.files[3]
            .diff
            .contains("--- /dev/null\n+++ .agent/tools/c.lua")
    );
    let flags: Vec<String> = shown
        .flags
        .iter()
        .map(|f| format!("{}:{} {}", f.path, f.line, f.what))
        .collect();
    assert_eq!(flags, [".agent/init.lua:2 os.execute"]);
    let text = shown.text(false);
    for part in [
        "  changed  init  .agent/init.lua     35 bytes\n",
        "  gone     tool  .agent/tools/b.lua\n",
        "  .agent/init.lua:2: os.execute\n      os.execute('x')\n",
        "+return nil",
        &format!("\ndigest {}\n", project.survey().digest()),
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
}

#[test]
fn the_first_time_texts_are_shown_where_they_are_short() {
    let project = Project::with(&[".agent/init.lua"]);
    assert!(
        view(&project.survey(), None)
            .text(false)
            .contains("+-- .agent/init.lua")
    );
    project.write(".agent/tools/x.lua", "-- x\n".repeat(200));
    let shown = view(&project.survey(), None);
    assert!(
        shown
            .text(false)
            .contains("\n-v shows the text of every file\n")
    );
    assert!(!shown.text(false).contains("+-- .agent"));
    assert!(shown.text(true).contains("+-- .agent/init.lua") && shown.text(true).contains("+-- x"));
    let nothing = view(&Project::with(&[]).survey(), None);
    assert!(nothing.text(false).ends_with("nothing here would load\n"));
}

#[test]
fn whatever_a_terminal_would_obey_is_escaped() {
    let project = Project::with(&[]);
    let evil = "os.execute('x') \u{1b}[2J\u{1b}]0;t\u{7} \u{202e}\u{9b}\r-- hidden\n";
    project.write(".agent/init.lua", evil);
    project.write(".agent/tools/bin.lua", b"os.exit() \xff\xfe\0\x08\n");
    let shown = view(&project.survey(), None);
    let mut texts = vec![shown.text(true)];
    texts.extend(shown.files.iter().map(|file| file.diff.clone()));
    texts.extend(shown.flags.iter().map(|flag| flag.text.clone()));
    for text in texts {
        let odd = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!text.contains(odd), "{text:?}");
    }
    assert!(
        shown
            .text(true)
            .contains("\\x1b[2J\\x1b]0;t\\x07 \\u{202e}\\x9b\\r-- hidden")
    );
}

#[test]
fn a_long_difference_is_cut_with_a_word_about_it() {
    let project = Project::with(&[".agent/init.lua"]);
    let trust = seen(&project);
    trust.accept(&project.survey()).unwrap();
    project.write(
        ".agent/init.lua",
        "-- x\n".repeat(1000) + "os.execute('x')\n",
    );
    let last = trust.last(&project.workspace.root);
    let shown = view(&project.survey(), last.as_ref());
    let text = shown.text(false);
    assert!(
        text.contains("… 605 more lines of .agent/init.lua; -v shows all"),
        "{text}"
    );
    assert!(
        text.contains(".agent/init.lua:1001: os.execute"),
        "power is never cut away"
    );
    assert!(shown.text(true).contains("+os.execute('x')"));
}

#[test]
fn a_text_that_is_not_kept_any_more_is_said_to_be_lost() {
    let project = Project::with(&[".agent/init.lua"]);
    let trust = seen(&project);
    trust.accept(&project.survey()).unwrap();
    std::fs::remove_dir_all(project.home.path().join("state/store")).unwrap();
    assert_eq!(
        trust.standing(&project.survey()),
        super::super::Standing::Trusted
    );
    project.write(".agent/init.lua", "-- other\n");
    let last = trust.last(&project.workspace.root);
    let shown = view(&project.survey(), last.as_ref());
    assert!(
        shown.files[0].diff.contains("no longer kept"),
        "{}",
        shown.files[0].diff
    );
}
