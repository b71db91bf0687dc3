//! The ABI version of an OPA policy: two exported constants.

use std::convert::Infallible;
use std::fmt;

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, Module, ValType,
};
use wasmparser::{ExportSectionReader, GlobalSectionReader, Parser};

/// The constants of OPA's WebAssembly ABI 1.3, whose exports `crates/opa` has.
const ABI: [(&str, i32); 2] = [
    ("opa_wasm_abi_version", 1),
    ("opa_wasm_abi_minor_version", 3),
];

/// Why the constants cannot be added.
#[derive(Debug)]
pub(crate) enum OpaError {
    /// Not a core module.
    Unreadable(reencode::Error),
    /// A module without globals or exports is no policy.
    NoPolicy,
}

impl fmt::Display for OpaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reencode::Error::ParseError(error)) => write!(f, "{error}"),
            Self::Unreadable(error) => write!(f, "{error}"),
            Self::NoPolicy => f.write_str("it has no globals or no exports"),
        }
    }
}

/// The same module with the constants of [`ABI`] as exported globals.
pub(crate) fn add_abi_version(module: &[u8]) -> Result<Vec<u8>, OpaError> {
    let mut encoded = Module::new();
    let mut adder = Adder::default();
    adder
        .parse_core_module(&mut encoded, Parser::new(0), module)
        .map_err(OpaError::Unreadable)?;
    if adder.exported {
        Ok(encoded.finish())
    } else {
        Err(OpaError::NoPolicy)
    }
}

#[derive(Default)]
struct Adder {
    /// Index of the first constant among the globals, once it is added.
    first: Option<u32>,
    exported: bool,
}

impl Reencode for Adder {
    type Error = Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_global_section(self, globals, section)?;
        self.first = Some(globals.len());
        for (_, value) in ABI {
            let constant = GlobalType {
                val_type: ValType::I32,
                mutable: false,
                shared: false,
            };
            globals.global(constant, &ConstExpr::i32_const(value));
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_export_section(self, exports, section)?;
        if let Some(first) = self.first {
            for ((name, _), index) in ABI.into_iter().zip(first..) {
                exports.export(name, ExportKind::Global, index);
            }
            self.exported = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::add_abi_version;

    #[track_caller]
    fn refused(module: &[u8], message: &str) {
        let error = add_abi_version(module).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn a_module_without_exports_is_no_policy() {
        refused(b"\0asm\x01\0\0\0", "it has no globals or no exports");
    }

    #[test]
    fn text_is_no_module() {
        let error = add_abi_version(b"(module)").unwrap_err();
        assert!(error.to_string().contains("magic header"), "{error}");
    }
}
