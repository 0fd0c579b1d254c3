//! stub
#![allow(missing_docs)]
pub struct Files {
    pub workspace: std::path::PathBuf,
}
impl Files {
    pub fn cwd(&self) -> &std::path::Path {
        &self.workspace
    }
    pub fn without_home(&self, text: &str) -> String {
        text.to_owned()
    }
}
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeSet;
impl ChangeSet {
    pub fn shows(&self) -> String {
        String::new()
    }
}
