#!/usr/bin/env bats
# The annotated module in the real kwctl, on recorded answers of a cluster: `make e2e`, which builds the modules.
#
# Each example has a session (what the cluster answers, tests/e2e/sessions) and an expected answer
# (tests/e2e/expected). A test of the workspace holds both equal to our own host, so what passes here says that kwctl
# and our host agree. Patches are decoded and compared, never searched.

bats_require_minimum_version 1.5.0

setup() {
  module=annotated-policy.wasm
  opa_module=imagestream-import-mode.opa.wasm
}

# The answer as one line of sorted JSON: verdict, message, decoded patch, warnings, annotations.
answer() {
  jq --compact-output --sort-keys '{
    allowed,
    message: .status.message,
    patch: (if .patch then .patch | @base64d | fromjson else [] end),
    warnings: (.warnings // []),
    auditAnnotations: (.auditAnnotations // {})
  }'
}

# What our host answers to an example, changed by a jq filter.
expected() { # NAME [FILTER]
  jq --compact-output --sort-keys "${2:-.}" "tests/e2e/expected/$1.json"
}

same() { # WHAT GOT EXPECTED
  [ "$2" = "$3" ] || { printf '%s\ngot      %s\nexpected %s\n' "$@"; cat "$BATS_TEST_TMPDIR/stderr"; return 1; }
}

# kwctl's answer to an example, with what the cluster answers from SESSION.
run_example() { # NAME SESSION kwctl-arguments...
  local name=$1 session=$2
  shift 2
  kwctl run --allow-context-aware --request-path "examples/reviews/$name.json" \
    --replay-host-capabilities-interactions "tests/e2e/$session.yml" "$@" 2> "$BATS_TEST_TMPDIR/stderr" | answer
}

# The same for the policy resources in a file, with the module of this folder.
run_manifest() { # FILE [sed arguments]
  local file=$1
  shift
  sed -e "s|registry://.*|file://$PWD/$module|" "$@" "$file" > "$BATS_TEST_TMPDIR/manifest.yaml"
  run_example oc-create sessions/oc-create "$BATS_TEST_TMPDIR/manifest.yaml"
}

@test "every example is answered as our host answers it" {
  for review in examples/reviews/*.json; do
    name=$(basename "$review" .json)
    same "$name" "$(run_example "$name" "sessions/$name" "$module")" "$(expected "$name")"
    run ! grep --quiet leftovers "$BATS_TEST_TMPDIR/stderr"
  done
}

@test "every example is used, and nothing else" {
  examples=$(cd examples/reviews && ls *.json | sed 's/\.json$//')
  [ "$(cd tests/e2e/sessions && ls *.yml | sed 's/\.yml$//')" = "$examples" ]
  [ "$(cd tests/e2e/expected && ls *.json | sed 's/\.json$//')" = "$examples" ]
}

@test "a cluster that refuses to answer changes nothing and warns" {
  same refused "$(run_example oc-tag refused "$module")" "$(expected oc-tag '.patch = [] | .auditAnnotations = {} |
    .warnings = ["payload-unknown: tag 2.0: left as sent, cluster mode unknown; set payloadArchitecture"]')"
}

@test "the settings decide without a cluster" {
  got=$(kwctl run --settings-json '{"clusterContext": false, "payloadArchitecture": "Multi"}' \
    --request-path examples/reviews/oc-import-image.json "$module" 2> "$BATS_TEST_TMPDIR/stderr" | answer)
  same settings "$got" "$(expected oc-import-image '.auditAnnotations."import-mode-source" = "settings"')"
}

@test "every fault of the settings is named" {
  run -1 kwctl run --settings-json '{"overwrit": "Always", "action": "mutate"}' \
    --request-path examples/reviews/oc-create.json "$module"
  [[ $output == *'invalid settings: '* ]]
  [[ $output == *'there is no setting `overwrit` (value `"Always"`), did you mean `overwrite`?'* ]]
  [[ $output == *'`action` is the text `mutate`, but must be `Mutate` or `Report` (did you mean `Mutate`?)'* ]]
}

@test "the manifests run as they are, but for the module's address" {
  same policy "$(run_manifest examples/openshift/policy/policy.yaml)" "$(expected oc-create)"
  for manifest in examples/openshift/without-cluster-access/*.yaml; do
    same "$manifest" "$(run_manifest "$manifest")" \
      "$(expected oc-create '.auditAnnotations."import-mode-source" = "settings"')"
  done
}

@test "mode monitor drops the patch, keeps warnings and annotations, and logs the answer" {
  got=$(run_manifest examples/openshift/policy/policy.yaml -e 's/mode: protect/mode: monitor/')
  same monitor "$got" "$(expected oc-create '.patch = []')"
  grep --quiet 'policy evaluation (monitor mode).*JSONPatch' "$BATS_TEST_TMPDIR/stderr"
}

@test "the audit lets a request through and logs what should be" {
  got=$(run_manifest examples/openshift/audit/policy.yaml)
  same audit "$got" "$(expected oc-create '.patch = [] | .warnings = [] | .auditAnnotations = {}')"
  grep --quiet 'policy evaluation (monitor mode).*importMode should be PreserveOriginal' "$BATS_TEST_TMPDIR/stderr"
}

# kwctl lists every kind of `contextAwareResources` for OPA, and hands the lists over as `data.kubernetes`.
@test "the OPA module answers alike, by settings and from a listed cluster" {
  sed -e 's/^executionMode: .*/executionMode: opa/' policy-metadata.yml > "$BATS_TEST_TMPDIR/metadata.yml"
  kwctl annotate --metadata-path "$BATS_TEST_TMPDIR/metadata.yml" --output-path "$BATS_TEST_TMPDIR/opa.wasm" \
    "$opa_module" 2> "$BATS_TEST_TMPDIR/stderr"
  # Its patch adds the mode where the other module's replaces it: the same to an API server.
  for name in oc-tag oc-import-image oc-import-image-existing-tag; do
    same "$name" "$(run_example "$name" listed "$BATS_TEST_TMPDIR/opa.wasm")" "$(expected "$name" '.patch[].op = "add"')"
  done
  got=$(kwctl run --execution-mode opa --settings-json '{"payloadArchitecture": "Multi"}' \
    --request-path examples/reviews/oc-tag.json "$opa_module" 2> "$BATS_TEST_TMPDIR/stderr" | answer)
  same settings "$got" "$(expected oc-tag '.patch[].op = "add" | .auditAnnotations."import-mode-source" = "settings"')"
}

@test "kwctl annotate writes the same metadata as our tool" {
  kwctl annotate --metadata-path policy-metadata.yml --output-path "$BATS_TEST_TMPDIR/theirs.wasm" policy.wasm 2> /dev/null
  theirs=$(kwctl inspect --output yaml "$BATS_TEST_TMPDIR/theirs.wasm" 2> /dev/null | grep -v '^ *io.kubewarden.kwctl:')
  ours=$(kwctl inspect --output yaml "$module" 2> /dev/null)
  diff <(echo "$theirs") <(echo "$ours")
}

@test "kwctl scaffold artifacthub writes the same file, but for the date" {
  kwctl scaffold artifacthub --metadata-path policy-metadata.yml --questions-path questions-ui.yml \
    --output "$BATS_TEST_TMPDIR/theirs.yml" 2> /dev/null
  diff <(grep -v '^createdAt: ' "$BATS_TEST_TMPDIR/theirs.yml") <(grep -v '^createdAt: ' artifacthub-pkg.yml)
}

@test "what kwctl scaffolds from the annotated module runs" {
  for type in ClusterAdmissionPolicy AdmissionPolicy; do
    kwctl scaffold manifest --type "$type" --allow-context-aware "$module" > "$BATS_TEST_TMPDIR/$type.yaml" 2> /dev/null
    grep --quiet '^  mutating: true$' "$BATS_TEST_TMPDIR/$type.yaml"
    grep --quiet '^  backgroundAudit: false$' "$BATS_TEST_TMPDIR/$type.yaml"
  done
  same scaffold "$(run_example oc-create sessions/oc-create "$BATS_TEST_TMPDIR/ClusterAdmissionPolicy.yaml")" "$(expected oc-create)"
}
