//! What holds for each slot of a request, before it becomes an answer.

use std::cell::OnceCell;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::cluster::{self, ClusterMode, ClusterReader, ModeSource, ReadError, Unreadable};
use crate::import_mode::{ImportMode, StoredMode};
use crate::json::Json;
use crate::provenance::{Authorship, Provenance};
use crate::settings::{ClusterContext, Overwrite, Settings};
use crate::slot::{Slot, SlotLabel, SlotPath};
use crate::stored::{Stored, Today};
use crate::warning::WarningKind;

/// Everything that was found out about a request.
#[derive(Debug)]
pub struct Assessment<'a> {
    /// The slots in the order of the object.
    pub slots: Vec<AssessedSlot<'a>>,
    /// What became of the read of an import's stream.
    pub lookup: StreamLookup,
    /// The mode that new tags get, or why it is unknown; none if no slot needed it.
    pub cluster_mode: Option<Result<ClusterMode, Unreadable>>,
}

/// One slot with what holds for it.
#[derive(Debug)]
pub struct AssessedSlot<'a> {
    pub(crate) slot: Slot<'a>,
    /// Whether its author has decided the mode.
    pub authorship: Authorship,
    /// The mode that it has today; none if the slot is new.
    pub today: Option<Today>,
    /// What happens to it.
    pub outcome: SlotOutcome,
}

impl AssessedSlot<'_> {
    /// Where the slot stands.
    #[must_use]
    pub fn path(&self) -> SlotPath {
        self.slot.path
    }

    /// How messages name it.
    #[must_use]
    pub fn label(&self) -> SlotLabel<'_> {
        self.slot.label()
    }

    /// The mode in the request.
    #[must_use]
    pub fn requested(&self) -> StoredMode {
        self.slot.requested
    }

    /// Whether an import follows when the slot is stored.
    #[must_use]
    pub fn imports(&self) -> bool {
        self.slot.imports
    }

    /// The mode for whose sake `action: Report` refuses the slot: it imports, and another mode than
    /// the one in effect would be set.
    #[must_use]
    pub fn reported(&self) -> Option<ImportMode> {
        let set = self.outcome.set.filter(|_| self.slot.imports)?;
        let changes_nothing =
            self.slot.requested == StoredMode::Unset && set.mode == ImportMode::Legacy;
        (!changes_nothing).then_some(set.mode)
    }
}

/// What happens to one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotOutcome {
    /// The mode to set and where it comes from; none leaves the slot as it is.
    pub set: Option<ClusterMode>,
    /// What the author is told.
    pub warning: Option<WarningKind>,
}

impl SlotOutcome {
    fn set(mode: ImportMode, source: ModeSource) -> Self {
        Self {
            set: Some(ClusterMode { mode, source }),
            warning: None,
        }
    }

    fn warning(self, kind: WarningKind) -> Self {
        Self {
            warning: Some(kind),
            ..self
        }
    }
}

/// What became of the read of an import's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamLookup {
    /// The request needs none, or the settings forbid it.
    None,
    /// The stream exists.
    Found,
    /// It does not: every tag is new.
    NotFound,
    /// It failed, or the request has no name or namespace to read by.
    Failed(Option<Unreadable>),
}

/// Assesses `slots`, those of `request`; reads the stream first and the cluster mode after it, each
/// once and only where a slot depends on it.
pub(crate) fn assess<'a>(
    request: &ScopedRequest<'a>,
    slots: Vec<Slot<'a>>,
    settings: &Settings,
    cluster: &dyn ClusterReader,
) -> Assessment<'a> {
    let provenance = Provenance::of(request, &slots, settings.overwrite);
    let mut slots: Vec<_> = slots
        .into_iter()
        .map(|slot| AssessedSlot {
            authorship: provenance.authorship(&slot),
            today: None,
            outcome: SlotOutcome::default(),
            slot,
        })
        .collect();
    let any_open = slots
        .iter()
        .any(|assessed| matches!(assessed.authorship, Authorship::Open(_)));

    let stream;
    let (lookup, stored) = if request.kind != ResourceKind::ImageStreamImport {
        (StreamLookup::None, Stored::in_old_object(request))
    } else if any_open && settings.cluster_context == ClusterContext::Allowed {
        let (lookup, reply) = read_stream(request, cluster);
        stream = reply;
        let stored = stream.as_deref().map(str::as_bytes).map(Json::parse);
        let stored = stored.and_then(Result::ok);
        (lookup, stored.map_or(Stored::Nothing, Stored::in_stream))
    } else {
        (StreamLookup::None, Stored::Nothing)
    };

    let mode = LazyMode {
        settings,
        cluster,
        resolved: OnceCell::new(),
    };
    for assessed in &mut slots {
        let requested = assessed.slot.requested;
        assessed.today = stored.today(&assessed.slot);
        assessed.outcome = match (assessed.authorship, assessed.today) {
            (Authorship::Decided(_), None) => decided_new(requested, &mode),
            (Authorship::Decided(_), Some(_)) => SlotOutcome::default(),
            (Authorship::Open(_), None) => open_new(requested, &mode),
            (Authorship::Open(_), Some(today)) => open_existing(requested, today, &mode),
        };
    }
    Assessment {
        slots,
        lookup,
        cluster_mode: mode.resolved.into_inner(),
    }
}

fn read_stream(
    request: &ScopedRequest<'_>,
    cluster: &dyn ClusterReader,
) -> (StreamLookup, Option<String>) {
    let (Some(namespace), Some(name)) = (&request.namespace, &request.name) else {
        return (StreamLookup::Failed(None), None);
    };
    let stream = cluster::image_stream(namespace, name);
    match cluster::read_object(cluster, &stream) {
        Ok(reply) => (StreamLookup::Found, Some(reply)),
        Err(ReadError::NotFound) => (StreamLookup::NotFound, None),
        Err(error) => {
            let unreadable = Unreadable {
                resource: stream.to_string(),
                error,
            };
            (StreamLookup::Failed(Some(unreadable)), None)
        }
    }
}

/// The cluster mode, resolved when a slot first asks.
struct LazyMode<'s> {
    settings: &'s Settings,
    cluster: &'s dyn ClusterReader,
    resolved: OnceCell<Result<ClusterMode, Unreadable>>,
}

impl LazyMode<'_> {
    fn known(&self) -> Option<ClusterMode> {
        self.resolved
            .get_or_init(|| cluster::resolve(self.settings, self.cluster))
            .as_ref()
            .ok()
            .copied()
    }

    fn states_legacy(&self) -> bool {
        self.known().is_some_and(ClusterMode::states_legacy)
    }
}

fn decided_new(requested: StoredMode, mode: &LazyMode<'_>) -> SlotOutcome {
    let kept = requested == StoredMode::Mode(ImportMode::Legacy)
        && mode
            .known()
            .is_some_and(|cluster| cluster.mode == ImportMode::PreserveOriginal);
    if kept {
        SlotOutcome::default().warning(WarningKind::ExplicitKept)
    } else {
        SlotOutcome::default()
    }
}

fn open_new(requested: StoredMode, mode: &LazyMode<'_>) -> SlotOutcome {
    let Some(cluster) = mode.known() else {
        return SlotOutcome::default().warning(WarningKind::PayloadUnknown);
    };
    let set = SlotOutcome::set(cluster.mode, cluster.source);
    match requested {
        StoredMode::Mode(requested) if requested == cluster.mode => SlotOutcome::default(),
        StoredMode::Unset | StoredMode::Mode(ImportMode::Legacy) => set,
        StoredMode::Mode(ImportMode::PreserveOriginal) if cluster.states_legacy() => {
            set.warning(WarningKind::ListDropped)
        }
        StoredMode::Mode(ImportMode::PreserveOriginal) | StoredMode::Foreign => {
            SlotOutcome::default()
        }
    }
}

fn open_existing(requested: StoredMode, today: Today, mode: &LazyMode<'_>) -> SlotOutcome {
    let leave = SlotOutcome::default();
    let today = match today {
        Today::Mixed => return leave.warning(WarningKind::ExistingMixed),
        Today::Stored(StoredMode::Unset | StoredMode::Foreign) => return leave,
        Today::Stored(StoredMode::Mode(today)) => today,
    };
    let keep = SlotOutcome::set(today, ModeSource::Existing);
    match (requested, today) {
        (StoredMode::Unset, _) => keep,
        (StoredMode::Mode(ImportMode::Legacy), ImportMode::PreserveOriginal) => {
            if mode.settings.overwrite == Overwrite::Always && mode.states_legacy() {
                leave
            } else {
                keep.warning(WarningKind::ExistingKept)
            }
        }
        (StoredMode::Mode(ImportMode::PreserveOriginal), ImportMode::Legacy)
            if mode.states_legacy() =>
        {
            keep.warning(WarningKind::ExistingKept)
        }
        (StoredMode::Mode(_) | StoredMode::Foreign, _) => leave,
    }
}
