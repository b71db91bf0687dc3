# Measurements. None is part of `make test`: they take time, and a machine that does nothing else.
.PHONY: bench bench-policy bench-layers bench-serve bench-docs

# Tables, and target/bench/{policy,layers,footprint,serve}.json
bench: bench-policy bench-layers bench-serve

bench-layers:
	cargo bench --locked --workspace --bench layers --bench footprint

bench-serve:
	cargo bench --locked --workspace --bench serve

# What the last runs left in target/bench goes into docs/performance.md
bench-docs:
	@$(NATIVE) --bin report
	@target/debug/report
