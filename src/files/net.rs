//! What several changes amount to, one after the other: each file once, from what it was to what it is.
//! Pure. What came and went again, and what is as it was, is left out.

use std::path::Path;

use super::Place;
use super::change::{Action, Change, Form, Image};

/// The changes that lead from what was before the first of `changes` to what is after the last.
pub fn net(changes: &[Change]) -> Vec<Change> {
    let mut net: Vec<Way> = Vec::new();
    for change in changes {
        follow(&mut net, change);
    }
    net.into_iter().filter_map(Way::change).collect()
}

/// What became of one file: where it was, and where it is.
struct Way {
    from: Option<(Place, Option<Image>)>,
    to: Option<(Place, Option<Image>)>,
}

impl Way {
    fn is_at(&self, place: &Place) -> bool {
        let at = self.to.as_ref().map(|(at, _)| at);
        at.is_some_and(|at| at.real == place.real)
    }

    /// Whether it began at `place` and is nowhere now.
    fn left(&self, place: &Place) -> bool {
        let from = self.from.as_ref().map(|(from, _)| from);
        self.to.is_none() && from.is_some_and(|from| from.real == place.real)
    }

    fn change(self) -> Option<Change> {
        let (place, action, before, after) = match (self.from, self.to) {
            (None, None) => return None,
            (None, Some((to, after))) => (to, Action::Create, None, after),
            (Some((from, before)), None) => (from, Action::Delete, before, None),
            (Some((from, before)), Some((to, after))) if from.real == to.real => {
                let hash = |image: &Option<Image>| image.as_ref().map(|image| image.hash);
                if hash(&before) == hash(&after) {
                    return None;
                }
                (from, Action::Update, before, after)
            }
            (Some((from, before)), Some((to, after))) => (from, Action::Move { to }, before, after),
        };
        Some(Change {
            place,
            action,
            before,
            after,
            inner: Vec::new(),
        })
    }
}

fn follow(net: &mut Vec<Way>, change: &Change) {
    let place = &change.place;
    match &change.action {
        Action::Create => match net.iter_mut().find(|way| way.left(place)) {
            Some(way) => way.to = Some((place.clone(), change.after.clone())),
            None => net.push(Way {
                from: None,
                to: Some((place.clone(), change.after.clone())),
            }),
        },
        Action::Update => {
            let to = Some((place.clone(), change.after.clone()));
            way_of(net, change).to = to;
        }
        Action::Delete => {
            for gone in change.inner.iter().rev().chain([change]) {
                way_of(net, gone).to = None;
            }
        }
        Action::Move { to } => {
            if change.before.as_ref().map(|image| image.form) == Some(Form::Folder) {
                carry(net, &place.real, to);
            }
            let to = Some((to.clone(), change.after.clone()));
            way_of(net, change).to = to;
        }
    }
}

/// The way of what stands at the place of `change`; a new one where it has not been changed yet.
fn way_of<'n>(net: &'n mut Vec<Way>, change: &Change) -> &'n mut Way {
    let at = net.iter().position(|way| way.is_at(&change.place));
    let at = at.unwrap_or_else(|| {
        let from = origin(net, &change.place);
        net.push(Way {
            from: Some((from, change.before.clone())),
            to: None,
        });
        net.len() - 1
    });
    &mut net[at]
}

/// Where a thing was that is met for the first time at `place`: elsewhere, if a folder around it was moved.
fn origin(net: &[Way], place: &Place) -> Place {
    let moved = net.iter().filter_map(|way| {
        let (from, to) = (&way.from.as_ref()?.0, &way.to.as_ref()?.0);
        Some((to.real.components().count(), below(place, from, &to.real)?))
    });
    let nearest = moved.max_by_key(|(depth, _)| *depth);
    nearest.map_or_else(|| place.clone(), |(_, from)| from)
}

/// What was changed inside a folder goes with it.
fn carry(net: &mut [Way], folder: &Path, to: &Place) {
    for (at, _) in net.iter_mut().filter_map(|way| way.to.as_mut()) {
        if let Some(moved) = below(at, to, folder) {
            *at = moved;
        }
    }
}

/// `place`, which lies in `folder`, as it lies in the folder `to`.
pub(super) fn below(place: &Place, to: &Place, folder: &Path) -> Option<Place> {
    let below = place.real.strip_prefix(folder).ok()?;
    let shown = below.to_string_lossy();
    (!shown.is_empty()).then(|| Place {
        path: to.path.join(below),
        real: to.real.join(below),
        display: format!("{}/{shown}", to.display),
        name: format!("{}/{shown}", to.name),
        ..place.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::bench::Bench;
    use crate::files::{ChangeSet, Files};

    fn write(files: &Files, path: &str, text: &str) -> Change {
        let place = files.resolve(path).unwrap();
        done(
            files,
            files.plan_write(&place, text.as_bytes(), None).unwrap(),
        )
    }

    fn shift(files: &Files, from: &str, to: &str) -> Change {
        let (from, to) = (files.resolve_entry(from), files.resolve_entry(to));
        done(
            files,
            files.plan_move(&from.unwrap(), &to.unwrap(), None).unwrap(),
        )
    }

    fn delete(files: &Files, path: &str) -> Change {
        let place = files.resolve_entry(path).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        done(files, files.plan_delete(&place, &stop).unwrap())
    }

    fn done(files: &Files, change: Change) -> Change {
        let set = ChangeSet::new(vec![change.clone()]).unwrap();
        files.commit(&set, |_| {}).unwrap();
        change
    }

    /// `update a`, `move a b`, … in order.
    fn told(changes: &[Change]) -> Vec<String> {
        let tell = |change: Change| match &change.action {
            Action::Move { to } => format!("move {} {}", change.place.display, to.display),
            action => format!("{} {}", action.as_str(), change.place.display),
        };
        net(changes).into_iter().map(tell).collect()
    }

    #[test]
    fn each_file_is_told_of_once_from_first_to_last() {
        let bench = Bench::new();
        bench.write("a", "1\n");
        let files = bench.files();
        let changes = [
            write(&files, "a", "2\n"),
            write(&files, "a", "3\n"),
            write(&files, "new", "n\n"),
        ];
        assert_eq!(told(&changes), ["update a", "create new"]);
        let text = net(&changes)[0].diff().text;
        assert!(text.contains("-1\n+3\n"), "{text}");
    }

    #[test]
    fn what_is_as_it_was_is_left_out() {
        let bench = Bench::new();
        bench.write("a", "1\n");
        let files = bench.files();
        let changes = [
            write(&files, "a", "2\n"),
            write(&files, "b", "x\n"),
            delete(&files, "b"),
            shift(&files, "a", "c"),
            shift(&files, "c", "a"),
            write(&files, "a", "1\n"),
        ];
        assert!(told(&changes).is_empty());
    }

    #[test]
    fn files_are_followed_through_moves_of_their_folder() {
        let bench = Bench::new();
        bench.write("d/a", "1\n");
        let files = bench.files();
        let mut changes = vec![
            write(&files, "d/a", "2\n"),
            shift(&files, "d", "e"),
            write(&files, "e/a", "3\n"),
        ];
        assert_eq!(told(&changes), ["move d/a e/a", "move d e"]);
        changes.push(delete(&files, "e"));
        assert_eq!(told(&changes), ["delete d/a", "delete d"]);
        changes.push(write(&files, "d/a", "4\n"));
        assert_eq!(told(&changes), ["update d/a", "delete d"]);

        bench.write("f/x", "1\n");
        let changes = [shift(&files, "f", "g"), write(&files, "g/x", "2\n")];
        assert_eq!(told(&changes), ["move f g", "move f/x g/x"]);
    }
}
