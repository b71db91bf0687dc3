# What takes longer than `make test`, needs a tool, or looks at the build itself.
.PHONY: test-long limits reproducible fuzz fuzz-replay deny

# 200,000 random cases against the reference instead of 5,000, and how often each cell was reached
test-long:
	cargo test --locked --workspace --test differential -- --include-ignored --nocapture
	cargo test --locked --workspace --test reference_coverage -- --nocapture

# The table of tests/limits, also in target/bench/limits.json
limits: policy.wasm
	cargo test --locked --workspace --test limits -- --nocapture

# make fuzz SECONDS=60: each target that long. What it finds goes to fuzz/found, crashes to fuzz/artifacts
SECONDS ?= 60
FUZZ := decide settings splice json
# The pinned toolchain is a stable one; without a sanitizer that is all it takes.
CARGO_FUZZ := RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir fuzz --sanitizer none
fuzz:
	for target in $(FUZZ); do \
		mkdir -p fuzz/found/$$target && \
		$(CARGO_FUZZ) $$target fuzz/found/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(SECONDS) -max_len=4096 || exit 1; \
	done

fuzz-replay:
	cargo test --locked --workspace --test policy corpus

# Licences, sources and bans of deny.toml
deny:
	cargo deny --locked check bans licenses sources

# The module once more, in another folder and with other homes: the same bytes. The registry and the
# toolchains are links, so that nothing is fetched again; cargo and rustc see them under the new names.
ELSEWHERE := target/elsewhere
SOURCES := Cargo.toml Cargo.lock rust-toolchain.toml Makefile $(wildcard *.mk benches crates examples src wit)
RUSTUP_HOME ?= $(HOME)/.rustup
reproducible: module
	rm -rf $(ELSEWHERE)
	mkdir -p $(ELSEWHERE)/a-project $(ELSEWHERE)/a-home $(ELSEWHERE)/a-cargo-home
	cp -r $(SOURCES) $(ELSEWHERE)/a-project
	ln -s $(CARGO_HOME)/registry $(ELSEWHERE)/a-cargo-home/registry
	test ! -e $(CARGO_HOME)/config.toml || cp $(CARGO_HOME)/config.toml $(ELSEWHERE)/a-cargo-home
	ln -s $(RUSTUP_HOME) $(ELSEWHERE)/a-rustup-home
	env -u CARGO_TARGET_DIR -u CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS \
		HOME=$(CURDIR)/$(ELSEWHERE)/a-home CARGO_NET_OFFLINE=true \
		CARGO_HOME=$(CURDIR)/$(ELSEWHERE)/a-cargo-home \
		RUSTUP_HOME=$(CURDIR)/$(ELSEWHERE)/a-rustup-home \
		$(MAKE) -C $(ELSEWHERE)/a-project module
	cmp $(MODULE) $(ELSEWHERE)/a-project/$(MODULE)
	rm -rf $(ELSEWHERE)
