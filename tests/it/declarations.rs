//! What tools declare is true: their examples run, their schemas are small and complete.

use agent::data;
use agent::tools::shipped;

use crate::door::Door;

#[test]
fn every_example_shows_what_it_says() {
    for tool in shipped().iter() {
        let spec = tool.spec();
        assert!(!spec.examples.is_empty(), "{} has no example", spec.id);
        for example in &spec.examples {
            let door = Door::staged(&spec.id);
            for (path, content) in &example.files {
                door.write(path, content);
            }
            let text = match door.call(&spec.id, data::parse(&example.args).unwrap()) {
                Ok(output) => output.text,
                // What it shows is how it fails.
                Err(error) if spec.id == "invalid" => error.message,
                Err(error) => panic!("{}: {error:?}", spec.id),
            };
            let shown = text.contains(&example.shows);
            assert!(shown, "{}: {}\n{text}", spec.id, example.about);
        }
    }
}

#[test]
fn every_parameter_is_described_and_few_are_required() {
    for tool in shipped().iter() {
        let spec = tool.spec();
        let schema = spec.parameters.json_schema();
        let properties = schema["properties"].as_object().unwrap();
        for (name, property) in properties {
            let described = property["description"]
                .as_str()
                .is_some_and(|text| text.len() > 5);
            assert!(described, "{}.{name} is not described", spec.id);
            assert!(
                property.get("$ref").is_none(),
                "{}.{name} is not inlined",
                spec.id
            );
        }
        let required = schema["required"].as_array().map_or(0, Vec::len);
        assert!(required <= 3, "{} requires {required} parameters", spec.id);
        assert!(spec.description.len() < 400, "{} says too much", spec.id);
    }
}

#[test]
fn no_name_belongs_to_two_tools() {
    let mut names = std::collections::BTreeSet::new();
    for tool in shipped().iter() {
        for name in tool.aliases().iter().copied().chain([tool.id()]) {
            assert!(
                names.insert(name.to_owned()),
                "`{name}` stands for two tools"
            );
        }
    }
}
