//! The chain: who acts in it, what it carries, and that it ends as one.

use super::*;
use crate::tool::Most;

#[test]
fn stays_a_model_all_the_way_down() {
    let scope = Scope::root(Caller::User).lowered(Caller::Model).unwrap();
    let deeper = scope
        .call(CallId(1))
        .unwrap()
        .hook(7)
        .unwrap()
        .lowered(Caller::User)
        .unwrap();
    assert_eq!(deeper.caller(), Caller::Model);
    assert!(deeper.is_inside_hook(7) && !deeper.is_inside_hook(8));
    assert_eq!(deeper.enclosing_call(), Some(CallId(1)));
}

#[test]
fn a_models_own_call_is_the_outermost_that_acts_for_it() {
    let call = |scope: &Scope, id| scope.call(CallId(id)).unwrap();
    let user = call(&Scope::root(Caller::User), 1);
    assert!(!user.is_models_own());
    let model = user.block().unwrap().lowered(Caller::Model).unwrap();
    let own = call(&model.block().unwrap(), 2);
    assert!(own.is_models_own() && own.block().unwrap().is_models_own());
    assert!(!call(&own.block().unwrap(), 3).is_models_own());
    assert!(!call(&model.hook(7).unwrap(), 4).is_models_own());
}

#[test]
fn the_innermost_profile_holds_for_all_that_is_done_below_it() {
    let plain = Scope::root(Caller::User);
    assert_eq!(plain.profile(), None);
    let outer = Scope::root_under(Caller::User, Some("build"));
    let inner = outer.under_profile("explore").unwrap();
    let deep = inner.call(CallId(1)).unwrap().hook(7).unwrap();
    assert_eq!(
        deep.lowered(Caller::Model).unwrap().profile(),
        Some("explore")
    );
    assert_eq!(outer.block().unwrap().profile(), Some("build"));
}

#[test]
fn what_is_deferred_holds_for_the_calls_made_here_and_not_inside_of_them() {
    let deferred = Arc::new(Deferred::new(["a".to_owned()]));
    let talk = Scope::root(Caller::User)
        .deferring(Arc::clone(&deferred))
        .unwrap();
    let call = talk.block().unwrap().call(CallId(1)).unwrap();
    for scope in [&talk, &talk.block().unwrap(), &call, &call.block().unwrap()] {
        assert!(scope.deferred().is_some_and(|one| one.is_closed("a")));
    }
    assert!(call.call(CallId(2)).unwrap().deferred().is_none());
    assert!(
        talk.hook(7)
            .unwrap()
            .call(CallId(3))
            .unwrap()
            .deferred()
            .is_none()
    );
    assert!(Scope::root(Caller::Model).deferred().is_none());
}

#[test]
fn every_budget_around_a_request_is_asked_and_charged() {
    let most = |steps| {
        let steps = Some(steps);
        Arc::new(Budget::new(Most {
            steps,
            ..Most::default()
        }))
    };
    let one = Spent {
        steps: 1,
        ..Spent::default()
    };
    let (outer, inner) = (most(3), most(2));
    let around = Scope::root(Caller::User)
        .paying(Arc::clone(&outer))
        .unwrap();
    let deep = around.paying(Arc::clone(&inner)).unwrap().block().unwrap();
    deep.charge(one);
    deep.charge(one);
    assert_eq!(deep.admits(one).unwrap_err().kind, Kind::Limit);
    assert_eq!(around.admits(one), Ok(()));
    around.charge(one);
    assert_eq!(around.admits(one).unwrap_err().kind, Kind::Limit);
    assert_eq!((outer.spent().steps, inner.spent().steps), (3, 2));
}

#[test]
fn refuses_a_call_that_nests_too_deeply() {
    let mut scope = Scope::root(Caller::User);
    for id in 0..MAX_NESTING {
        scope = scope.block().unwrap().call(CallId(id as u64)).unwrap();
    }
    assert_eq!(scope.call(CallId(99)).err().unwrap().kind, Kind::Resource);
}

#[test]
fn ends_with_what_stands_around_it() {
    let outer = Scope::root(Caller::User);
    let inner = outer.block().unwrap();
    outer.node().close();
    assert!(inner.node().is_closed());
    assert_eq!(inner.call(CallId(1)).err().unwrap().kind, Kind::Cancelled);
}
