//! What a provider is shown of who asks: keys that a command says, headers, and what is said of its models.

use serde_json::{Value, json};

use crate::peer::{Peer, Reply};
use crate::program::Program;

const ANSWER: &str = include_str!("../models/openai_chat_answer.sse");
const CALLS: &str = include_str!("../models/openai_chat_calls.sse");

fn refused() -> Reply {
    Reply::whole(
        401,
        &[("content-type", "application/json")],
        "{\"error\":{\"message\":\"no\"}}",
    )
}

/// A workspace whose models.lua names the peer as the provider `near`, of which it says `more`.
fn program(peer: &Peer, more: &str) -> Program {
    let models = format!(
        "return {{ default = 'near/m', providers = {{ near = {{ kind = 'openai_chat', base_url = '{}', attempts = 1, {more} }} }} }}",
        peer.url()
    );
    Program::new().file("../config/tools/models.lua", models)
}

/// Counts how often it ran, says where it ran and what it was told, and a key that differs from run to run.
const SAYS: &str = r#"key_command = { "sh", "-c", [[echo ran >> "$HOME/runs"; echo "$PWD $1 $SIDE" > "$HOME/where"; echo "said-key-$(wc -l < "$HOME/runs" | tr -d ' ')-of-ours"; echo "user: me"]], "sh", "$HOME; *" },"#;

#[test]
fn a_command_says_the_key_once_without_a_shell_and_no_model_sees_it() {
    let peer = Peer::start([Reply::events(CALLS), Reply::events(ANSWER)]);
    let program = program(&peer, SAYS)
        .env("SIDE", "given")
        .file("src/über.rs", "// it is said-key-1-of-ours, TODO\n");
    let document = program.run(&["run", "-o", "json", "Lies."]).json();
    assert_eq!(document["status"], "done", "{document}");
    let requests = peer.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        let key = request.header("authorization");
        assert_eq!(key, Some("Bearer said-key-1-of-ours"));
    }
    let second = String::from_utf8_lossy(&requests[1].body).into_owned();
    assert!(second.contains("it is ["), "{second}");
    assert!(!second.contains("said-key"), "{second}");
    assert_eq!(program.text("../home/runs"), "ran\n");
    let home = program.at("../home").canonicalize().unwrap();
    let place = format!("{} $HOME; * given\n", home.display());
    assert_eq!(program.text("../home/where"), place);
}

#[test]
fn a_key_that_was_refused_is_asked_for_again() {
    let peer = Peer::start([Reply::events(ANSWER), refused(), Reply::events(ANSWER)]);
    let program = program(&peer, SAYS).file(
        "ask.lua",
        "agent.ask('a')\nlocal ok, err = pcall(agent.ask, 'b')\nprint(ok, err.kind)\nagent.ask('c')\n",
    );
    program
        .run(&["script", "ask.lua"])
        .prints("false\tprovider\n");
    let keys: Vec<_> = peer
        .requests()
        .iter()
        .map(|request| request.header("authorization").unwrap().to_owned())
        .collect();
    let said = [1, 1, 2].map(|run| format!("Bearer said-key-{run}-of-ours"));
    assert_eq!(keys, said);
}

#[test]
fn a_command_that_says_no_key_is_told_and_nothing_is_sent() {
    let rows = [
        (
            "{ 'sh', '-c', 'echo x; echo it is locked >&2; exit 3' }",
            "`sh`, which says the key of near/m, ended with exit code 3: it is locked",
        ),
        (
            "{ 'sh', '-c', 'exit 3' }",
            "ended with exit code 3: it says nothing",
        ),
        ("{ 'true' }", "prints nothing in its first line"),
        (
            "{ 'no-such-program' }",
            "`no-such-program`, which says the key of near/m, does not run",
        ),
        (
            "{ 'printf', 'a\\\\001b' }",
            "as the header authorization holds a character that no header carries",
        ),
    ];
    for (command, said) in rows {
        let peer = Peer::start([]);
        let program = program(&peer, &format!("key_command = {command}"));
        let document = program.run(&["run", "-o", "json", "x"]).exits(5).json();
        let message = document["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{command}: {document}");
        assert_eq!(peer.requests().len(), 0, "{command}");
    }
}

#[test]
fn headers_are_sent_as_they_stand_or_out_of_the_environment() {
    let peer = Peer::start([Reply::events(CALLS), Reply::events(ANSWER)]);
    let headers = "key_env = 'NEAR_KEY', headers = { ['X-Team'] = 'ours', Authorization = { env = 'NEAR_AUTH' } },";
    let program = program(&peer, headers)
        .env("NEAR_KEY", "not-this-one")
        .file("src/über.rs", "// hidden-word-of-ours\n");
    program
        .run(&["run", "x"])
        .exits(2)
        .says("near/m needs the header authorization, and the variable NEAR_AUTH is not set");
    assert_eq!(peer.requests().len(), 0);
    let program = program.env("NEAR_AUTH", "hidden-word-of-ours");
    program.run(&["run", "x"]).stdout();
    let requests = peer.requests();
    assert_eq!(requests.len(), 2);
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("; NEAR_KEY is set, NEAR_AUTH is set\n");
    for request in &requests {
        assert_eq!(request.header("x-team"), Some("ours"));
        assert_eq!(request.header("authorization"), Some("hidden-word-of-ours"));
        let many = request.headers.iter();
        let many = many.filter(|(name, _)| name == "authorization").count();
        assert_eq!(many, 1);
        let body = String::from_utf8_lossy(&request.body);
        assert!(!body.contains("hidden-word-of-ours"), "{body}");
    }
}

#[test]
fn what_is_said_of_a_model_shapes_the_request() {
    let peer = Peer::start([Reply::events(ANSWER), Reply::events(ANSWER)]);
    let models = "models = { m = { max_output = 77, effort = 'low', quirks = { max_tokens_field = 'most' } } }";
    let program = program(&peer, models).file(
        "ask.lua",
        "agent.ask('a')\nagent.ask('b', { effort = 'high' })\n",
    );
    program.run(&["script", "ask.lua"]).stdout();
    let bodies = peer.requests();
    let bodies = bodies.iter();
    let bodies: Vec<Value> = bodies
        .map(|request| serde_json::from_slice(&request.body).unwrap())
        .collect();
    let said = |body: &Value| json!([body["most"], body["reasoning_effort"]]);
    assert_eq!(said(&bodies[0]), json!([77, "low"]));
    assert_eq!(said(&bodies[1]), json!([77, "high"]));
}

#[test]
fn doctor_says_which_program_says_the_key_and_runs_it_where_the_model_is_asked() {
    let peer = Peer::start([Reply::events(ANSWER)]);
    let program = program(&peer, SAYS);
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("; `sh` says the key\n")
        .prints_part("did not call the tool");
    assert_eq!(program.text("../home/runs"), "ran\n");
    let program = program.env("GEMINI_API_KEY", "");
    program
        .run(&["doctor", "-m", "gemini/g"])
        .prints_part("GEMINI_API_KEY is not set");
    assert_eq!(program.text("../home/runs"), "ran\n");
}
