//! What a module says of settings that it does not take, one fault a line.

use imagestream_import_mode::Settings;

use crate::report;

/// `message`, the module's, about the settings in `json`.
///
/// The module answers with one text; where it is the text of the core, the faults are known one by
/// one.
pub fn lines(json: &str, message: &str) -> String {
    match Settings::parse(json.as_bytes()) {
        Err(error) if error.to_string() == message => {
            let mut text = String::from("invalid settings");
            for fault in error.faults() {
                text.push_str("\n  ");
                text.push_str(&report::shown_whole(&fault.to_string()));
            }
            text
        }
        _ => report::shown_whole(message),
    }
}
