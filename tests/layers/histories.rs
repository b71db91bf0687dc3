//! Updates, deletions and lists, in the orders in which a watch brings them.

use imagestream_import_mode::layers::{Applied, Image, ImageLayerIndex, ResourceVersion};
use serde_json::json;

use crate::support::{SCHEMA2, history, image, list, single};

fn version(number: u64) -> ResourceVersion {
    ResourceVersion::Number(number)
}

/// The image `name` at `revision`, with one layer `layer`.
fn at(name: &str, revision: u64, layer: &str) -> Image {
    let mut json = single(name, SCHEMA2, "config", &[(layer, 1)]);
    json["metadata"]["resourceVersion"] = json!(revision.to_string());
    image(json)
}

fn layer(index: &ImageLayerIndex, name: &str) -> Option<String> {
    index.get(name).map(|image| image.layers()[0].name.clone())
}

#[test]
fn an_older_or_equal_update_does_no_harm() {
    let mut index = ImageLayerIndex::new();
    assert_eq!(index.apply(at("image", 10, "new")), Applied::Added);
    let revision = index.revision();
    assert_eq!(index.apply(at("image", 9, "old")), Applied::Stale);
    assert_eq!(index.apply(at("image", 10, "same")), Applied::Stale);
    assert_eq!(
        (layer(&index, "image").as_deref(), index.revision()),
        (Some("new"), revision)
    );
    assert_eq!(index.apply(at("image", 11, "newer")), Applied::Replaced);
    assert_eq!(layer(&index, "image").as_deref(), Some("newer"));
    assert_eq!(index.len(), 1);
}

#[test]
fn an_update_older_than_the_deletion_does_no_harm() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("image", 10, "a"));
    assert!(!index.delete("image", &version(9)));
    assert!(index.delete("image", &version(12)));
    assert!(!index.delete("image", &version(12)));
    assert_eq!(index.apply(at("image", 11, "late")), Applied::Stale);
    assert_eq!(index.apply(at("image", 13, "again")), Applied::Added);
}

#[test]
fn a_deletion_may_carry_the_version_of_the_stored_state() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("image", 10, "a"));
    assert!(index.delete("image", &version(10)));
    assert!(index.is_empty());
}

#[test]
fn an_update_older_than_the_list_that_lacks_it_does_no_harm() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("gone", 5, "a"));
    index.replace_all([at("kept", 7, "b")], &version(20));
    assert_eq!(index.apply(at("gone", 6, "late")), Applied::Stale);
    assert_eq!(index.len(), 1);
}

#[test]
fn a_list_wins_over_newer_states_of_another_count() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("image", 1000, "before the restore"));
    index.replace_all([at("image", 5, "restored")], &version(8));
    assert_eq!(layer(&index, "image").as_deref(), Some("restored"));
    assert_eq!(index.apply(at("image", 9, "after")), Applied::Replaced);
}

#[test]
fn versions_that_are_no_numbers_count_as_newer() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("image", 10, "a"));
    let undated = image(single("image", SCHEMA2, "config", &[("b", 1)]));
    assert_eq!(index.apply(undated), Applied::Replaced);
    assert_eq!(layer(&index, "image").as_deref(), Some("b"));
}

#[test]
fn has_synced_after_the_first_complete_list_and_stays() {
    let mut index = ImageLayerIndex::new();
    assert!(!index.has_synced());
    index.apply(at("image", 1, "a"));
    index.start_list();
    index.apply_listed(at("image", 1, "a"));
    assert!(!index.has_synced());
    index.complete_list(&version(2));
    assert!(index.has_synced());
    index.start_list();
    index.delete("image", &version(3));
    assert!(index.has_synced());
    index.replace_all([], &version(4));
    assert!(index.has_synced());
}

#[test]
fn a_list_in_pieces_serves_the_old_content_until_it_is_complete() {
    let mut index = ImageLayerIndex::new();
    index.replace_all([at("a", 1, "x"), at("b", 2, "y")], &version(3));
    index.start_list();
    assert_eq!(index.apply_listed(at("b", 5, "z")), Applied::Replaced);
    assert_eq!(index.apply_listed(at("b", 4, "older page")), Applied::Stale);
    assert_eq!(layer(&index, "a").as_deref(), Some("x"));
    index.start_list(); // that list broke off
    index.apply_listed(at("a", 6, "w"));
    index.complete_list(&version(7));
    assert_eq!(
        (layer(&index, "a").as_deref(), layer(&index, "b")),
        (Some("w"), None)
    );
}

#[test]
fn both_ways_back_follow_every_change() {
    let mut index = ImageLayerIndex::new();
    index.apply(at("b", 1, "shared"));
    index.apply(at("a", 2, "shared"));
    assert_eq!(index.images_with_layer("shared"), ["a", "b"]);
    index.apply(at("a", 3, "own"));
    assert_eq!(index.images_with_layer("shared"), ["b"]);
    assert_eq!(index.images_with_layer("own"), ["a"]);
    assert_eq!(index.images_with_layer("config"), Vec::<String>::new());

    index.apply(image(list("list", &[("a", "amd64"), ("absent", "arm64")])));
    assert_eq!(index.parents("a"), ["list"]);
    assert_eq!(index.parents("absent"), ["list"]);
    index.delete("a", &ResourceVersion::default());
    assert_eq!(index.parents("a"), ["list"]);
    index.delete("list", &ResourceVersion::default());
    assert_eq!(index.parents("a"), Vec::<String>::new());
    assert_eq!(index.images_with_layer("own"), Vec::<String>::new());
}

#[test]
fn an_answer_gets_old_only_by_what_is_in_it() {
    let mut index = ImageLayerIndex::new();
    index.apply(image(list(
        "list",
        &[("child", "amd64"), ("late", "arm64")],
    )));
    index.apply(at("child", 2, "a"));
    index.apply(at("foreign", 3, "b"));
    let stream = history(&[&["list", "gone"]]);
    let mut known = index.answer_version(&stream);
    for (what, changes) in [
        ("another image changes", false),
        ("another image goes", false),
        ("a list brings what is there", false),
        ("a child arrives", true),
        ("a child changes", true),
        ("a child goes", true),
        ("an image of the history arrives", true),
        ("the list goes", true),
    ] {
        match what {
            "another image changes" => drop(index.apply(at("foreign", 4, "c"))),
            "another image goes" => drop(index.delete("foreign", &version(5))),
            "a list brings what is there" => index.replace_all(
                [
                    image(list("list", &[("child", "amd64"), ("late", "arm64")])),
                    at("child", 2, "a"),
                ],
                &version(6),
            ),
            "a child arrives" => drop(index.apply(at("late", 7, "a"))),
            "a child changes" => drop(index.apply(at("child", 8, "d"))),
            "a child goes" => drop(index.delete("child", &version(9))),
            "an image of the history arrives" => drop(index.apply(at("gone", 10, "a"))),
            _ => drop(index.delete("list", &version(11))),
        }
        let now = index.answer_version(&stream);
        assert_eq!(now != known, changes, "{what}");
        known = now;
    }
}
