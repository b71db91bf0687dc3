//! Which runtime a binary is for: told by the file itself.

use std::fmt;
use std::path::Path;

use wasmparser::{Parser, Payload};

use crate::component_policy::ComponentPolicy;
use crate::door::{Door, HostError};
use crate::opa_policy::OpaPolicy;
use crate::wapc_policy::WapcPolicy;

/// The kinds of binaries that the policy comes as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// A core module that speaks waPC: Kubewarden's own policies.
    Wapc,
    /// A component of the world `policy`.
    Component,
    /// A core module with OPA's WebAssembly ABI.
    Opa,
}

impl fmt::Display for ModuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wapc => "a waPC module",
            Self::Component => "a component of the world `policy`",
            Self::Opa => "an OPA policy",
        })
    }
}

impl ModuleKind {
    /// The kind of a binary; none if it is no WebAssembly or exports no entry that we know.
    ///
    /// As kwctl does, a core module with any export that starts with `opa_` is taken for OPA.
    #[must_use]
    pub fn detect(binary: &[u8]) -> Option<Self> {
        if Parser::is_component(binary) {
            return Some(Self::Component);
        }
        for payload in Parser::new(0).parse_all(binary) {
            let Payload::ExportSection(exports) = payload.ok()? else {
                continue;
            };
            let names: Vec<_> = exports
                .into_iter()
                .filter_map(|export| Some(export.ok()?.name))
                .collect();
            return if names.iter().any(|name| name.starts_with("opa_")) {
                Some(Self::Opa)
            } else if names.contains(&"__guest_call") {
                Some(Self::Wapc)
            } else {
                None
            };
        }
        None
    }
}

/// Compiles a binary of any kind for the runtime that it is for.
///
/// # Errors
///
/// If the file cannot be read, or is not one of the three kinds.
pub fn open(path: &Path) -> Result<Box<dyn Door>, HostError> {
    let binary = std::fs::read(path).map_err(|source| HostError::Unreadable {
        path: path.display().to_string(),
        source,
    })?;
    Ok(match ModuleKind::detect(&binary) {
        Some(ModuleKind::Wapc) => Box::new(WapcPolicy::new(&binary)?),
        Some(ModuleKind::Component) => Box::new(ComponentPolicy::new(&binary)?),
        Some(ModuleKind::Opa) => Box::new(OpaPolicy::new(&binary)?),
        None => return Err(HostError::UnknownKind),
    })
}

#[cfg(test)]
mod tests {
    use super::ModuleKind;

    /// A core module that exports one memory of this name.
    fn exporting(name: &str) -> Vec<u8> {
        let length = u8::try_from(name.len()).unwrap();
        let mut module = b"\0asm\x01\0\0\0\x05\x03\x01\0\x01\x07".to_vec();
        module.extend([length + 4, 1, length]);
        module.extend(name.as_bytes());
        module.extend([2, 0]);
        module
    }

    #[test]
    fn the_kind_is_told_by_header_and_exports() {
        let kinds = [
            (exporting("__guest_call"), Some(ModuleKind::Wapc)),
            (exporting("opa_malloc"), Some(ModuleKind::Opa)),
            (exporting("_start"), None),
            (b"\0asm\x0d\0\x01\0".to_vec(), Some(ModuleKind::Component)),
            (b"\0asm\x01\0\0\0".to_vec(), None),
            (b"(module)".to_vec(), None),
            (Vec::new(), None),
        ];
        for (binary, kind) in kinds {
            assert_eq!(ModuleKind::detect(&binary), kind, "{binary:?}");
        }
    }
}
