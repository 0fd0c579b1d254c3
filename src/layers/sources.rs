//! All that is loaded, in the order in which it is loaded.
//!
//! It reads nothing and runs nothing.

use super::{Layer, Role, SourceFile};

/// Files of any layers: weakest layer first, and in a layer init, then policies, then tools by name;
/// modules come last and wait for `require`.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files, in order.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// These files, brought into order.
    pub fn of(files: Vec<SourceFile>) -> Sources {
        let mut sources = Sources { files };
        sources.sort();
        sources
    }

    /// Adds more files at their places. Files of one layer, role and name keep the order they came in.
    pub fn append(&mut self, files: Vec<SourceFile>) {
        self.files.extend(files);
        self.sort();
    }

    /// The files of one layer, in order.
    pub fn of_layer(&self, layer: Layer) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(move |file| file.layer == layer)
    }

    fn sort(&mut self) {
        let key = |file: &SourceFile| (file.layer, file.role, file.name.clone());
        self.files.sort_by_cached_key(key);
    }
}

/// A file of a `tools/` folder: what its stem makes it.
pub(super) fn role_in_tools(stem: &str) -> Role {
    match super::PolicyName::named(stem) {
        Some(policy) => Role::Policy(policy),
        None => Role::Tool,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::layers::PolicyName;

    fn file(layer: Layer, role: Role, name: &str) -> SourceFile {
        SourceFile {
            layer,
            role,
            name: name.to_owned(),
            shown: name.to_owned(),
            text: Ok(Arc::from(&b""[..])),
        }
    }

    #[test]
    fn stand_in_the_order_in_which_they_load() {
        let surfaces = Role::Policy(PolicyName::Surfaces);
        let permissions = Role::Policy(PolicyName::Permissions);
        let mut sources = Sources::of(vec![
            file(Layer::CommandLine, Role::Tool, "z"),
            file(Layer::User, Role::Module, "a"),
            file(Layer::User, Role::Tool, "b"),
            file(Layer::User, Role::Tool, "a"),
            file(Layer::User, surfaces, "surfaces"),
        ]);
        sources.append(vec![
            file(Layer::Shipped, permissions, "permissions"),
            file(Layer::User, Role::Init, "init"),
            file(Layer::User, permissions, "permissions"),
        ]);
        let order: Vec<String> = sources
            .files
            .iter()
            .map(|file| format!("{}/{}", file.layer, file.name))
            .collect();
        assert_eq!(
            order,
            [
                "shipped/permissions",
                "user/init",
                "user/permissions",
                "user/surfaces",
                "user/a",
                "user/b",
                "user/a",
                "tools folder/z"
            ]
        );
        assert_eq!(sources.of_layer(Layer::User).count(), 6);
    }
}
