//! What a host can do instead of a sound answer.

use std::time::Duration;

use super::Means::{self, Failed, Missing, Nothing, Silent};
use super::Reason::{HostText, NoObject, NotUtf8};
use super::{Fault, LONG, Reply};

fn text(text: &str) -> Reply {
    Reply::Bytes(text.as_bytes().to_vec())
}

fn error(text: &str) -> Reply {
    Reply::Error(text.to_owned())
}

macro_rules! host_text {
    ($name:literal, $text:literal) => {
        Fault {
            name: $name,
            reply: |_| error($text),
            means: Failed(HostText($text)),
        }
    };
}

macro_rules! reply {
    ($name:literal, $reply:expr, $means:expr) => {
        Fault {
            name: $name,
            reply: $reply,
            means: $means,
        }
    };
}

const NO_OBJECT: Means = Failed(NoObject);
const MEBIBYTE: usize = 1 << 20;

/// The texts are those of kubewarden.md 5.3, and of a wording that no host has today.
pub(super) const FAULTS: &[Fault] = &[
    reply!("none", |target| text(&target.sound().to_string()), Nothing),
    reply!(
        "slow, but in time",
        |_| Reply::After(Duration::from_millis(200)),
        Nothing
    ),
    reply!("no such object", |_| Reply::Missing, Missing),
    reply!(
        "no such object, with a backtrace",
        |_| error(
            "Callback evaluation failure: Cannot find v1/X named 'x' inside of namespace 'None'\n\nStack backtrace:\n   0: x"
        ),
        Missing
    ),
    host_text!(
        "no such kind",
        "Callback evaluation failure: Cannot find resource config.openshift.io/v1/Image"
    ),
    host_text!(
        "no such group",
        "Callback evaluation failure: error finding resource config.openshift.io/v1 / Image: ApiError: \"404 page not found\": Failed to parse error data (ErrorResponse { status: \"404 Not Found\" })"
    ),
    host_text!(
        "kind not granted",
        "Policy has not been granted access to Kubernetes config.openshift.io/v1/Image resources. The violation has been reported."
    ),
    host_text!(
        "capability not granted",
        "Policy has not been granted access to the 'kubernetes/get_resource' host capability. The violation has been reported."
    ),
    host_text!(
        "refused by RBAC",
        "Callback evaluation failure: ApiError: images.config.openshift.io \"cluster\" is forbidden: User \"system:serviceaccount:kubewarden:policy-server\" cannot get resource \"images\": Forbidden (ErrorResponse { code: 403 })"
    ),
    host_text!(
        "no connection",
        "Callback evaluation failure: kube::Client was not initialized properly"
    ),
    host_text!("queue full", "Error sending request over callback channel"),
    host_text!(
        "another wording for not found",
        "the object named 'cluster' was not found"
    ),
    host_text!("no text", ""),
    reply!(
        "a text with a backtrace",
        |_| error("first line\nsecond line\n   0: backtrace"),
        Failed(HostText("first line"))
    ),
    reply!(
        "a text of control characters",
        |_| error("a\u{0}b\u{1b}[31m\u{202e}c\u{85}d"),
        Failed(HostText("a\u{fffd}b\u{fffd}[31m\u{fffd}c\u{fffd}d"))
    ),
    reply!(
        "a text of 1 MiB",
        |_| Reply::Error("x".repeat(MEBIBYTE)),
        Failed(HostText(LONG))
    ),
    reply!("no bytes", |_| text(""), NO_OBJECT),
    reply!(
        "cut off",
        |target| {
            let sound = target.sound().to_string();
            text(&sound[..sound.len() - 2])
        },
        NO_OBJECT
    ),
    reply!(
        "two replies",
        |target| text(&target.sound().to_string().repeat(2)),
        NO_OBJECT
    ),
    reply!("not JSON", |_| text("<html>Bad Gateway</html>"), NO_OBJECT),
    reply!(
        "not UTF-8",
        |_| Reply::Bytes(b"{\"\xff\":1}".to_vec()),
        Failed(NotUtf8)
    ),
    reply!("null", |_| text("null"), NO_OBJECT),
    reply!("a string", |_| text("\"Multi\""), NO_OBJECT),
    reply!("a number", |_| text("1e999"), NO_OBJECT),
    reply!(
        "an array with the object",
        |target| text(&format!("[{}]", target.sound())),
        NO_OBJECT
    ),
    reply!(
        "a million levels",
        |_| {
            text(&format!(
                "{{\"x\":{}{}}}",
                "[".repeat(MEBIBYTE),
                "]".repeat(MEBIBYTE)
            ))
        },
        Silent
    ),
    reply!("an empty object", |_| text("{}"), Silent),
    reply!(
        "another object",
        |_| text(r#"{"kind":"Status","status":"Failure","code":403}"#),
        Silent
    ),
    reply!(
        "a list with the object",
        |target| {
            text(&format!(
                r#"{{"kind":"List","items":[{}]}}"#,
                target.sound()
            ))
        },
        Silent
    ),
    reply!("wrong types", |target| text(target.mistyped()), Silent),
    reply!(
        "lone surrogates",
        |_| {
            text(
                r#"{"spec":{"imageStreamImportMode":"\ud800"},"status":{"desired":{"architecture":"\udc00"}}}"#,
            )
        },
        Silent
    ),
    reply!(
        "odd text: white space, escapes, repeated keys",
        |target| {
            let sound = target.sound().to_string();
            let odd = sound
                .replace("spec", r"sp\u0065c")
                .replace("status", r"st\u0061tus");
            text(&format!(
                "\n{{\"spec\":7,\"status\":[],{}\t",
                odd[1..].replace(':', " : ")
            ))
        },
        Nothing
    ),
    reply!(
        "huge: 4 MiB",
        |target| {
            let sound = target.sound().to_string();
            text(&format!(
                "{{\"x\":\"{}\",{}",
                "x".repeat(4 * MEBIBYTE),
                &sound[1..]
            ))
        },
        Nothing
    ),
];
