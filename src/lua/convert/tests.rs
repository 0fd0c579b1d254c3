//! Every shape there and back, and every refusal with its path.

use proptest::prelude::*;

use super::*;

fn from_lua(code: &str) -> Result<Data, ToolError> {
    let lua = Lua::new();
    lua.globals().set("null", Value::NULL).unwrap();
    let list = lua
        .create_function(|lua, table: Table| mark_list(lua, &table).map(|()| table))
        .unwrap();
    lua.globals().set("list", list).unwrap();
    let value: Value = lua.load(code).eval().unwrap();
    to_data_named(&value, "args")
}

fn refusal(code: &str) -> String {
    let error = from_lua(code).unwrap_err();
    assert_eq!(error.kind, crate::error::Kind::Argument);
    error.message
}

#[test]
fn keeps_shapes_and_numbers_apart() {
    assert_eq!(from_lua("10 / 2").unwrap(), Data::Float(5.0));
    assert_eq!(from_lua("math.maxinteger").unwrap(), Data::Int(i64::MAX));
    assert_eq!(from_lua("'\\xff\\0'").unwrap(), Data::Bytes(vec![0xff, 0]));
    assert_eq!(from_lua("'é\\0'").unwrap(), Data::from("é\0"));
    assert_eq!(from_lua("{}").unwrap(), Data::map([]));
    assert_eq!(from_lua("list{}").unwrap(), Data::List(vec![]));
    let mixed = from_lua("{ a = {1, null, 'x'}, b = null }").unwrap();
    let list = Data::List(vec![1_i64.into(), Data::Null, "x".into()]);
    assert_eq!(mixed, Data::map([("a", list), ("b", Data::Null)]));
}

#[test]
fn a_list_built_backwards_is_a_list() {
    let list =
        from_lua("(function() local t = {} for i = 9, 1, -1 do t[i] = i end return t end)()");
    assert_eq!(list.unwrap(), (1_i64..=9).map(Data::from).collect());
}

#[test]
fn whole_numbers_that_are_no_positions_become_names() {
    let map = from_lua("{ [0] = 'a', [1] = 'b', [-7] = 'c' }").unwrap();
    assert_eq!(
        map,
        Data::map([("-7", "c".into()), ("0", "a".into()), ("1", "b".into())])
    );
}

#[test]
fn says_where_the_value_is_that_cannot_travel() {
    for (code, said) in [
        (
            "{ files = { 'a', { path = print } } }",
            "args.files[2].path: expected plain data, got a function",
        ),
        (
            "{ a = { 1, 2, x = 3 } }",
            "args.a: expected a list or a table of named fields, got a list that also has the field `x`",
        ),
        (
            "{ a = { 1, nil, 3 } }",
            "args.a: expected a list without holes, got a list with a hole at [2]",
        ),
        (
            "{ [2] = 1 }",
            "args: expected a list without holes, got a list with a hole at [1]",
        ),
        (
            "{ ['odd key'] = 0/0 }",
            "args[\"odd key\"]: expected a finite number, got NaN",
        ),
        (
            "{ { -1/0 } }",
            "args[1][1]: expected a finite number, got -inf",
        ),
        (
            "{ [true] = 1 }",
            "args: expected text or whole numbers as keys, got a boolean as a key",
        ),
        (
            "{ [1.5] = 1 }",
            "args: expected text or whole numbers as keys, got a number as a key",
        ),
        (
            "{ ['\\xff'] = 1 }",
            "args: expected keys in UTF-8, got a key of other bytes",
        ),
        (
            "{ co = coroutine.create(print) }",
            "args.co: expected plain data, got a thread",
        ),
        (
            "list{ x = 1 }",
            "args: expected a list or a table of named fields, got a list that also has the field `x`",
        ),
        (
            "(function() local t = {} t.a = { t } return t end)()",
            "args.a[1]: expected plain data, got a table that contains itself",
        ),
    ] {
        assert_eq!(refusal(code), said, "{code}");
    }
}

#[test]
fn refuses_what_is_nested_too_deeply_without_running_out_of_stack() {
    let nest = |depth: usize| {
        format!("(function() local t = 1 for _ = 1, {depth} do t = {{ t }} end return t end)()")
    };
    assert!(from_lua(&nest(MAX_DEPTH)).is_ok());
    let said = refusal(&nest(MAX_DEPTH + 1));
    assert!(said.contains("nested more than 128 deep"), "{said}");
    assert!(refusal(&nest(100_000)).contains("nested more than"));
}

#[test]
fn takes_the_same_table_twice_when_it_is_no_circle() {
    let twice = from_lua("(function() local t = { 1 } return { t, t } end)()").unwrap();
    let one = Data::List(vec![1_i64.into()]);
    assert_eq!(twice, Data::List(vec![one.clone(), one]));
}

#[test]
fn refuses_more_values_than_one_conversion_takes() {
    let said =
        refusal("(function() local t = {} for i = 1, 2000001 do t[i] = i end return t end)()");
    assert!(said.contains("more than 2000000 values"), "{said}");
}

#[test]
fn runs_no_metamethod() {
    let raw = "setmetatable({ a = 1 }, { __index = error, __pairs = error, __len = error })";
    assert_eq!(from_lua(raw).unwrap(), Data::map([("a", 1_i64.into())]));
}

/// What comes back: fields that are null are gone, and bytes that are UTF-8 are text.
fn normal(data: Data) -> Data {
    match data {
        Data::Bytes(bytes) => Data::from_bytes(bytes),
        Data::List(list) => list.into_iter().map(normal).collect(),
        Data::Map(map) => Data::Map(
            map.into_iter()
                .filter(|(_, value)| *value != Data::Null)
                .map(|(key, value)| (key, normal(value)))
                .collect(),
        ),
        other => other,
    }
}

fn any_data() -> impl Strategy<Value = Data> {
    let leaf = prop_oneof![
        Just(Data::Null),
        any::<bool>().prop_map(Data::Bool),
        any::<i64>().prop_map(Data::Int),
        (-1e300..1e300_f64).prop_map(Data::Float),
        (-9_i32..9).prop_map(|whole| Data::Float(whole.into())),
        ".{0,12}".prop_map(Data::Text),
        prop::collection::vec(any::<u8>(), 0..12).prop_map(Data::Bytes),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Data::List),
            prop::collection::btree_map("[a-z0-9é ]{0,6}", inner, 0..6).prop_map(Data::Map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn what_went_to_lua_comes_back(data in any_data()) {
        let lua = Lua::new();
        let value = to_lua(&lua, &data).unwrap();
        prop_assert_eq!(to_data(&value).unwrap(), normal(data));
    }
}
