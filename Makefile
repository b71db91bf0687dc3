# The same targets here and in CI (.ci/run).
.PHONY: policy test cases lint

# A folder of case files or one file, and the ways into the policy: core, wapc or all.
DIR ?= tests/cases/admission
DOOR ?= all

MODULE := target/wasm32-wasip1/release/imagestream_import_mode_wapc.wasm

# No path of the machine that builds ends up in the module.
CARGO_HOME ?= $(HOME)/.cargo
SYSROOT := $(shell rustc --print sysroot)
# Every runtime that runs waPC modules has simd128 on (wasmtime by default).
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS := \
	-C target-feature=+simd128 \
	--remap-path-prefix=$(CARGO_HOME)/registry/src=/crates \
	--remap-path-prefix=$(SYSROOT)/lib/rustlib/src/rust=/rust \
	--remap-path-prefix=$(CURDIR)=.

# policy.wasm, the Kubewarden policy
policy:
	cargo build --locked --release --package imagestream-import-mode-wapc --target wasm32-wasip1
	cmp --silent $(MODULE) policy.wasm || cp $(MODULE) policy.wasm

test: policy
	cargo test --locked --workspace

# make cases DIR=folder [DOOR=core]: each difference from the expected decisions, and how many there are
cases: policy
	@cargo run --quiet --locked --package imagestream-import-mode-host --bin cases -- \
		--door $(DOOR) --module policy.wasm $(DIR)

lint: export RUSTDOCFLAGS := --deny warnings
lint:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	cargo clippy --locked --package imagestream-import-mode-wapc --target wasm32-wasip1 -- --deny warnings
	cargo doc --locked --workspace --no-deps --document-private-items
