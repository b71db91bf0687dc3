use super::*;

fn json(text: &str) -> Json<'_> {
    Json::parse(text.as_bytes()).unwrap()
}

#[test]
fn the_last_of_repeated_keys_counts_also_when_escaped() {
    let object = json(r#" {"a":1,"b":[2,{"a":3}],"\u0061":{"x":"}\""}} "#);
    assert_eq!(object.get("a").unwrap().text(), r#"{"x":"}\""}"#);
    assert_eq!(object.get("b").unwrap().text(), r#"[2,{"a":3}]"#);
    assert!(object.get("c").is_none());
}

#[test]
fn elements_keep_their_text() {
    let array = json(r#"[ 1e999 , -0 ,"\ud800", null, [], {} ,true]"#);
    let texts: Vec<_> = array.elements().map(Json::text).collect();
    assert_eq!(
        texts,
        ["1e999", "-0", r#""\ud800""#, "null", "[]", "{}", "true"]
    );
    assert_eq!(array.members().count(), 0);
}

#[test]
fn canonical_ignores_key_order_and_escapes_but_not_number_text() {
    assert_eq!(
        json(r#"{"b":[1, "\u0041"],"a":0,"a":2}"#).canonical(),
        json(r#"{"a":2, "b":[1,"A"]}"#).canonical()
    );
    assert_ne!(json("1").canonical(), json("1.0").canonical());
}

#[test]
fn deep_nesting_ends() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let value = json(&deep);
    assert_eq!(value.elements().count(), 1);
    assert_eq!(value.canonical().len(), deep.len());
}

#[test]
fn invalid_text_is_noticed_where_it_starts() {
    for (text, offset) in [("", 0), (" ", 1), ("{} {}", 3), ("[1,]", 0), ("nul", 0)] {
        let error = Json::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error, NotJson { offset }, "{text}");
    }
    for (text, offset) in [
        ("{\"a\":[1,]}", 5),
        ("{\"a\":1,}", 7),
        ("{\"a\":1]", 6),
        ("{\"a\"", 1),
    ] {
        let mut cursor = Cursor::new(text.as_bytes());
        cursor.object(|_, _| {});
        assert_eq!(cursor.finish(), Err(NotJson { offset }), "{text}");
    }
}
