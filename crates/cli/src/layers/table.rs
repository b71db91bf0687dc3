//! The footprint for people, within 100 columns but for names and commands that are longer themselves.

use std::fmt::Write as _;

use anstream::adapter::strip_str;
use imagestream_import_mode::ImportMode;
use imagestream_import_mode::layers::footprint::{
    Content, Cost, Footprint, ImageKind, ModeTotal, OnePlatform, StreamFootprint, TagFootprint,
    UnknownCost, Usage,
};

use unicode_width::UnicodeWidthStr as _;

use crate::report::table::{Cell, Table};
use crate::report::{FAINT, TITLE, WARNING, count, paint, shown};

/// Columns of a line.
const WIDTH: usize = 100;
/// Widest tag and architecture; longer ones are cut. The other columns take 72 at most: modes 16, numbers of
/// images and blobs 10, four sizes of 8, seven gaps of 2.
const TAG_WIDTH: usize = 18;
const HOLDS_WIDTH: usize = 10;

/// The whole report.
pub fn render(footprint: &Footprint) -> String {
    let mut text = String::new();
    for stream in &footprint.streams {
        render_stream(&mut text, stream);
    }
    render_totals(&mut text, footprint);
    render_one_platform(&mut text, footprint);
    text
}

fn render_stream(text: &mut String, stream: &StreamFootprint) {
    let name = shown(&format!("{}/{}", stream.namespace, stream.name));
    let usage = usage(&stream.stored);
    let width = name.width() + ": ".len() + strip_str(&usage).to_string().width();
    let separator = if width > WIDTH { "\n  " } else { " " };
    let _ = writeln!(text, "{}:{separator}{usage}", paint(TITLE, &name));
    let mut table = Table::new(&[
        "TAG", "MODE", "HOLDS", "IMG/BLOB", "SIZE", "SHARED", "LEGACY", "ORIGINAL",
    ]);
    for tag in &stream.tags {
        table.push(row(tag));
    }
    if !table.is_empty() {
        text.push_str(&table.render("", None));
    }
    text.push('\n');
}

fn row(tag: &TagFootprint) -> Vec<Cell> {
    let mode = match tag.mode {
        _ if !tag.importable => Cell::styled(FAINT, "no import"),
        Some(mode) => Cell::plain(mode.as_str()),
        None => Cell::plain("unset"),
    };
    let Content {
        images,
        blobs,
        bytes,
    } = tag.stored.content;
    vec![
        Cell::styled(
            if tag.one_platform.is_some() {
                WARNING
            } else {
                TITLE
            },
            cut(&shown(&tag.tag), TAG_WIDTH),
        ),
        mode,
        holds(tag),
        Cell::plain(format!("{images}/{blobs}")),
        Cell::plain(size(bytes)),
        Cell::plain(size(tag.stored.shared_bytes)),
        cost(&tag.legacy),
        cost(&tag.preserve_original),
    ]
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 1).collect();
    format!("{kept}…")
}

fn holds(tag: &TagFootprint) -> Cell {
    let Some(image) = &tag.image else {
        return Cell::styled(FAINT, "nothing");
    };
    match (image.kind, image.platforms.as_slice()) {
        (ImageKind::Missing, _) => Cell::styled(WARNING, "missing"),
        (ImageKind::List, platforms) => Cell::plain(format!("list of {}", platforms.len())),
        (ImageKind::Single, [platform]) => {
            let architecture = platform
                .rsplit_once('/')
                .map_or(&**platform, |(_, last)| last);
            Cell::plain(cut(&shown(architecture), HOLDS_WIDTH))
        }
        (ImageKind::Single, _) => Cell::plain("one image"),
    }
}

fn cost(cost: &Cost) -> Cell {
    match cost {
        Cost::Known(content) => Cell::plain(size(content.bytes)),
        Cost::Unknown { unknown } => Cell::styled(
            FAINT,
            match unknown {
                UnknownCost::Flattened => "unknown",
                UnknownCost::MissingImage => "missing",
                UnknownCost::NotImported => "-",
                UnknownCost::EmptyList => "empty",
            },
        ),
    }
}

fn usage(usage: &Usage) -> String {
    let mut text = format!(
        "{}, {}, {}",
        count(usage.content.images, "image"),
        count(usage.content.blobs, "blob"),
        size(usage.content.bytes)
    );
    if usage.shared_bytes > 0 {
        let _ = write!(text, ", {} of it shared", size(usage.shared_bytes));
    }
    if !usage.missing_images.is_empty() {
        let missing = count(usage.missing_images.len(), "image");
        let _ = write!(text, ", {}", paint(WARNING, &format!("{missing} missing")));
    }
    text
}

fn render_totals(text: &mut String, footprint: &Footprint) {
    let totals = &footprint.totals;
    let _ = writeln!(
        text,
        "{}: {}, {}; {} in no stream\n  {}",
        paint(TITLE, "Total"),
        count(totals.streams, "stream"),
        count(totals.tags, "tag"),
        count(totals.unreferenced_images, "image"),
        usage(&totals.stored),
    );
    let mode = |name: &str, total: &ModeTotal| {
        let at_least = if total.unknown_tags > 0 {
            "at least "
        } else {
            ""
        };
        let mut line = format!("  {name}: {at_least}{}", size(total.known.bytes));
        let _ = write!(line, " in {}", count(total.known.images, "image"));
        if total.unknown_tags > 0 {
            let _ = write!(line, ", {} unknown", count(total.unknown_tags, "tag"));
        }
        line
    };
    let legacy = format!(
        "all newest images as Legacy ({})",
        footprint.legacy_platform
    );
    let _ = writeln!(text, "{}", mode(&legacy, &totals.legacy));
    let original = mode(
        "all newest images as PreserveOriginal",
        &totals.preserve_original,
    );
    let _ = writeln!(text, "{original}");
}

fn render_one_platform(text: &mut String, footprint: &Footprint) {
    match footprint.cluster_mode {
        None => text.push_str(
            "\nThe cluster mode is unknown, so no tag is marked: give --set payloadArchitecture=Multi,\n\
             --cluster or --context.\n",
        ),
        Some(ImportMode::Legacy) => {
            text.push_str("\nThe cluster wants Legacy: tags of one platform are as they should be.\n");
        }
        Some(ImportMode::PreserveOriginal) => render_marked(text, footprint),
    }
}

fn render_marked(text: &mut String, footprint: &Footprint) {
    let marked = footprint.totals.one_platform_tags;
    if marked == 0 {
        text.push_str(
            "\nThe cluster wants PreserveOriginal, and no tag holds one platform only.\n",
        );
        return;
    }
    let _ = writeln!(
        text,
        "\nThe cluster wants PreserveOriginal; {} for one platform:",
        if marked == 1 {
            "1 tag is".to_owned()
        } else {
            format!("{marked} tags are")
        }
    );
    for command in footprint.commands() {
        let _ = writeln!(text, "  {}", shown(command));
    }
    for stream in &footprint.streams {
        for tag in &stream.tags {
            let Some(why) = tag.one_platform.as_ref().and_then(remedy) else {
                continue;
            };
            let name = format!("{}/{}:{}", stream.namespace, stream.name, tag.tag);
            let _ = writeln!(text, "  {}: {why}", shown(&name));
        }
    }
}

/// What to do where no command of ours does it.
fn remedy(one_platform: &OnePlatform) -> Option<&'static str> {
    match one_platform {
        OnePlatform::Change { .. } => None,
        OnePlatform::SingleSource => Some("its source has one platform"),
        OnePlatform::ImportIsDue => Some("its import as PreserveOriginal has not succeeded yet"),
        OnePlatform::Pinned => Some("its source is this image's digest; name the list's digest"),
        OnePlatform::FollowsTag => Some("it follows another tag; change that one"),
        OnePlatform::FollowsImage => Some("its source is an image of a stream"),
        OnePlatform::Pushed => Some("it was pushed; push a manifest list"),
        OnePlatform::UnusableTagName => Some("oc cannot take its name; import it under another"),
    }
}

/// Bytes with three digits and a binary unit.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut unit = 0;
    let mut whole = bytes;
    let mut rest = 0;
    while whole >= 1024 && unit + 1 < UNITS.len() {
        rest = whole % 1024;
        whole /= 1024;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if unit == 0 || whole >= 100 {
        format!("{whole} {name}")
    } else {
        format!("{whole}.{} {name}", rest * 10 / 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_536, "1.5 KiB"),
            (120 * 1024 * 1024, "120 MiB"),
            (1023 << 50, "1023 PiB"),
            (u64::MAX, "15.9 EiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("1234567890", 10), "1234567890");
        assert_eq!(cut("12345678901", 10), "123456789…");
    }
}
