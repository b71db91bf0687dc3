# The same targets here and in CI (.ci/run).
.PHONY: policy policy.wasm module component opa run test test-js cases lint

# A folder of case files or one file, and the ways into the policy: core, wapc, component, opa or all.
DIR ?= tests/cases/admission
DOOR ?= all

MODULE := target/wasm32-wasip1/release/imagestream_import_mode_wapc.wasm

# No path of the machine that builds ends up in the module.
CARGO_HOME ?= $(HOME)/.cargo
SYSROOT := $(shell rustc --print sysroot)
REMAP := \
	--remap-path-prefix=$(CARGO_HOME)/registry/src=/crates \
	--remap-path-prefix=$(SYSROOT)/lib/rustlib/src/rust=/rust \
	--remap-path-prefix=$(CURDIR)=.
# The linker leaves room for the largest numbers unless it is told to take it back: 7 % of a module.
SMALL := -C link-arg=--compress-relocations
# 1,280 bytes behind the stack: then all that a small request writes behind the constants shares a page, which is one or
# two page faults less. make gate-update shows the pages; another place may be better when code has moved.
PAGES := -C link-arg=--global-base=1049856
# Every runtime that runs waPC modules has simd128 on (wasmtime by default); other hosts may not.
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS := -C target-feature=+simd128 $(SMALL) $(PAGES) $(REMAP)
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS := $(SMALL) $(REMAP)

# Always the whole workspace: one set of features, so that wasmtime is built once.
NATIVE := cargo build --quiet --locked --workspace

CLI := target/debug/imagestream-import-mode

# policy.wasm, the Kubewarden policy, and annotated-policy.wasm, the same with its metadata, for kwctl
policy: policy.wasm
	@$(NATIVE) --bin imagestream-import-mode
	$(CLI) annotate policy.wasm --metadata policy-metadata.yml --output annotated-policy.wasm

# The examples on the objects of a Multi cluster: what changes, and why
run: policy.wasm
	@$(NATIVE) --bin imagestream-import-mode
	@$(CLI) run --module policy.wasm --cluster examples/cluster examples/reviews/*.json

# The core of this artifact for speed: a twentieth less of a request's time for a tenth more module. The others stay small.
FAST := --config 'profile.release.package.imagestream-import-mode.opt-level=2'

# Only the module, without a copy of it
module:
	cargo build --locked --release $(FAST) --package imagestream-import-mode-wapc --target wasm32-wasip1

policy.wasm: module
	cmp --silent $(MODULE) policy.wasm || cp $(MODULE) policy.wasm

# imagestream-import-mode.component.wasm and .opa.wasm: the same policy for other hosts
component opa:
	cargo build --locked --release --package imagestream-import-mode-$@ --target wasm32-unknown-unknown
	$(NATIVE) --bin encode
	target/debug/encode $@ target/wasm32-unknown-unknown/release/imagestream_import_mode_$@.wasm \
		imagestream-import-mode.$@.wasm

test: policy.wasm component opa
	cargo test --locked --workspace

# The component through jco and the OPA policy through npm's SDK, under Node 20 or later
test-js: component opa
	cd tests/js && npm ci && npm test

# make cases DIR=folder [DOOR=core]: each difference from the expected decisions, and how many there are
cases: policy.wasm component opa
	@$(NATIVE) --bin cases
	@target/debug/cases --door $(DOOR) $(DIR)

lint: export RUSTDOCFLAGS := --deny warnings
lint:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	cargo clippy --locked --package imagestream-import-mode-wapc --target wasm32-wasip1 -- --deny warnings
	cargo clippy --locked --package imagestream-import-mode-component --target wasm32-unknown-unknown -- --deny warnings
	cargo clippy --locked --package imagestream-import-mode-opa --target wasm32-unknown-unknown -- --deny warnings
	cargo doc --locked --workspace --no-deps --document-private-items

include bench.mk checks.mk release.mk
