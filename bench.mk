# Measurements. None is part of `make test`: they take time, and a machine that does nothing else.
.PHONY: bench bench-policy bench-layers bench-serve bench-docs bench-guests bench-check gate-update

# Tables, and target/bench/{policy,layers,footprint,serve,limits}.json
bench: bench-policy bench-layers bench-serve limits

# The policy beside a floor, a typical policy, Rego and CEL. A workspace of its own: its crates stay out of Cargo.lock
bench-policy: policy.wasm component opa bench-guests
	cd benches/policy && cargo run --locked --release

bench-layers:
	cargo bench --locked --profile native --workspace --bench layers --bench footprint

bench-serve:
	cargo bench --locked --profile native --workspace --bench serve

# What the last runs left in target/bench goes into docs/performance.md and docs/robustness.md
bench-docs:
	@$(NATIVE) --bin report
	@target/debug/report

# The guests that the policy is compared with, built as their authors would: without our flags
bench-guests:
	cd benches/policy && env -u CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS \
		cargo build --locked --release --package floor --package echo --package typical --target wasm32-wasip1

# The comparison still builds, and still compares the same thing
bench-check: bench-guests
	cd benches/policy && cargo fmt --all --check
	cd benches/policy && cargo clippy --locked --release --all-targets -- --deny warnings
	cd benches/policy && env -u CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS \
		cargo clippy --locked --release --package floor --package echo --package typical --target wasm32-wasip1 -- --deny warnings
	cd benches/policy && cargo test --locked --release

# Fuel, memory and sizes as they are now become what `make test` expects: look at the difference
gate-update: policy.wasm component opa
	GATE=overwrite cargo test --locked --workspace --test gate
