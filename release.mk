# Targets of a release and of a fork; the workflows in .github/workflows call nothing else.
.PHONY: e2e audit artifacthub adopt release-check dist push checksums github-release artifacthub-branch

# The version stands in Cargo.toml, its date in CHANGELOG.md.
CARGO_VERSION = $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml)
RELEASED = $(shell sed -n 's/^\#\# \[$(CARGO_VERSION)\] - //p' CHANGELOG.md)
OCI_URL = $(shell sed -n 's/^ *io.kubewarden.policy.ociUrl: //p' policy-metadata.yml)
VERSION ?= v$(CARGO_VERSION)
DIST := dist
RELEASE_GIT := git -c user.name=release -c user.email=noreply@github.com

# The annotated module and the OPA module in the kwctl on the PATH
e2e: policy opa
	bats --print-output-on-failure e2e.bats

# Known advisories about the crates in Cargo.lock
audit:
	cargo deny --locked check advisories

# artifacthub-pkg.yml, as `kwctl scaffold artifacthub` writes it, dated by the changelog
artifacthub:
	@$(NATIVE) --bin imagestream-import-mode
	$(CLI) artifacthub --created-at $(RELEASED)T00:00:00Z --output artifacthub-pkg.yml

# make adopt OWNER=acme DOMAIN=acme.io: your names in place of example-org and example.org
adopt:
	@test -n "$(OWNER)" && test -n "$(DOMAIN)" || { echo "usage: make adopt OWNER=acme DOMAIN=acme.io" >&2; exit 2; }
	git grep -lzE 'example-org|example\.org' -- . ':!release.mk' ':!crates/cli/tests/docs' \
		| xargs -0 -r sed -i.orig -e 's/example-org/$(OWNER)/g' -e 's/example\.org/$(DOMAIN)/g'
	git ls-files -z | xargs -0 -I{} rm -f {}.orig

# The tag, the version and the changelog agree
release-check:
	@test "$(VERSION)" = "v$(CARGO_VERSION)" || { echo "the tag is $(VERSION), Cargo.toml says $(CARGO_VERSION)" >&2; exit 1; }
	@test -n "$(RELEASED)" || { echo "CHANGELOG.md has no heading with a date for $(CARGO_VERSION)" >&2; exit 1; }

# make dist TARGET=triple: the tool with the module beside it, packed
dist:
	cargo build --locked --profile native --package imagestream-import-mode-cli --target $(TARGET)
	mkdir -p $(DIST)/stage
	cp target/$(TARGET)/native/imagestream-import-mode policy.wasm LICENSE README.md $(DIST)/stage/
	tar -czf $(DIST)/imagestream-import-mode-$(TARGET).tar.gz -C $(DIST)/stage .
	rm -r $(DIST)/stage

# Push the annotated module, then sign what was pushed, in the old and the new form of a bundle: some verifiers read
# only the old one
push:
	kwctl push --output json $(DIST)/annotated-policy.wasm registry://$(OCI_URL):$(VERSION) | tee pushed.json
	cosign sign --yes --new-bundle-format=false --use-signing-config=false "$$(jq --raw-output .immutable_ref pushed.json)"
	cosign sign --yes --new-bundle-format=true --use-signing-config=true "$$(jq --raw-output .immutable_ref pushed.json)"
	rm pushed.json

checksums:
	cd $(DIST) && rm -f checksums.txt && sha256sum -- * > ../checksums.txt && mv ../checksums.txt .

github-release:
	gh release create $(VERSION) --verify-tag --title $(VERSION) --notes-file CHANGELOG.md $(DIST)/*

# The branch that Artifact Hub reads; README.md is the package's page
artifacthub-branch:
	git fetch origin artifacthub:artifacthub || git branch artifacthub \
		"$$($(RELEASE_GIT) commit-tree -m 'Start the Artifact Hub branch' "$$(git hash-object -t tree -w /dev/null)")"
	git worktree add target/artifacthub artifacthub
	cp artifacthub-pkg.yml artifacthub-repo.yml README.md target/artifacthub/
	git -C target/artifacthub add --all
	cd target/artifacthub && $(RELEASE_GIT) commit --message "Artifact Hub files of $(VERSION)"
	git -C target/artifacthub push origin artifacthub
	git worktree remove target/artifacthub
