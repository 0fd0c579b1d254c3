//! The yes on real trees, and what its tests share.

mod changes;
mod yes;

use super::{Login, Trust};
use crate::layers::tests::Project;

/// The yeses to `project`, seen from a login session that lives as long as this test.
fn seen(project: &Project) -> Trust {
    Trust::seen_from(&project.paths(), Login::of_itself())
}
