#!/usr/bin/env bats
# The annotated module in the real kwctl, on recorded answers of a cluster: `make e2e`.
#
# Each example has a session (what the cluster answers, tests/e2e/sessions) and an expected answer
# (tests/e2e/expected). A test of the workspace holds both equal to our own host, so what passes here says that kwctl
# and our host agree. Patches are decoded and compared, never searched.

bats_require_minimum_version 1.5.0

setup_file() {
  make --silent policy
}

setup() {
  module=annotated-policy.wasm
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

run_example() { # NAME [kwctl arguments]
  local name=$1
  shift
  kwctl run --allow-context-aware --request-path "examples/reviews/$name.json" \
    --replay-host-capabilities-interactions "tests/e2e/sessions/$name.yml" "$@" "$module" 2> "$BATS_TEST_TMPDIR/stderr" | answer
}

@test "every example is answered as our host answers it" {
  for review in examples/reviews/*.json; do
    name=$(basename "$review" .json)
    got=$(run_example "$name")
    expected=$(jq --compact-output --sort-keys . "tests/e2e/expected/$name.json")
    [ "$got" = "$expected" ] || { echo "$name"; echo "got      $got"; echo "expected $expected"; return 1; }
  done
}

@test "every example is used, and nothing else" {
  examples=$(cd examples/reviews && ls *.json | sed 's/\.json$//')
  [ "$(cd tests/e2e/sessions && ls *.yml | sed 's/\.yml$//')" = "$examples" ]
  [ "$(cd tests/e2e/expected && ls *.json | sed 's/\.json$//')" = "$examples" ]
}

@test "a cluster that refuses to answer changes nothing and warns" {
  got=$(kwctl run --allow-context-aware --request-path examples/reviews/oc-create.json \
    --replay-host-capabilities-interactions tests/e2e/refused.yml "$module" 2> /dev/null | answer)
  [ "$(jq --raw-output '.allowed, (.patch | length), (.warnings[] | split(":")[0])' <<< "$got")" = "true
0
payload-unknown" ]
}

@test "the settings decide without a cluster" {
  got=$(kwctl run --settings-json '{"clusterContext": false, "payloadArchitecture": "Multi"}' \
    --request-path examples/reviews/oc-import-image.json "$module" 2> /dev/null | answer)
  [ "$(jq --compact-output .patch <<< "$got")" = \
    '[{"op":"replace","path":"/spec/images/0/importPolicy/importMode","value":"PreserveOriginal"}]' ]
}

@test "every fault of the settings is named" {
  run -1 kwctl run --settings-json '{"overwrit": "Always", "action": "mutate"}' \
    --request-path examples/reviews/oc-create.json "$module"
  [[ $output == *'invalid settings: '* ]]
  [[ $output == *'there is no setting `overwrit` (value `"Always"`), did you mean `overwrite`?'* ]]
  [[ $output == *'`action` is the text `mutate`, but must be `Mutate` or `Report` (did you mean `Mutate`?)'* ]]
}

@test "the manifests run as they are, but for the module's address" {
  for manifest in examples/openshift/policy/policy.yaml examples/openshift/without-cluster-access/*.yaml examples/openshift/audit/policy.yaml; do
    sed "s|registry://.*|file://$PWD/$module|" "$manifest" > "$BATS_TEST_TMPDIR/manifest.yaml"
    kwctl run --request-path examples/reviews/oc-create.json \
      --replay-host-capabilities-interactions tests/e2e/sessions/oc-create.yml "$BATS_TEST_TMPDIR/manifest.yaml" \
      > "$BATS_TEST_TMPDIR/answer.json" 2> "$BATS_TEST_TMPDIR/stderr" || { cat "$manifest" "$BATS_TEST_TMPDIR/stderr"; return 1; }
    [ "$(jq .allowed "$BATS_TEST_TMPDIR/answer.json")" = true ] || { cat "$BATS_TEST_TMPDIR/answer.json"; return 1; }
  done
}

@test "kwctl annotate writes the same metadata as our tool" {
  kwctl annotate --metadata-path policy-metadata.yml --output-path "$BATS_TEST_TMPDIR/theirs.wasm" policy.wasm 2> /dev/null
  theirs=$(kwctl inspect --output yaml "$BATS_TEST_TMPDIR/theirs.wasm" 2> /dev/null | grep -v '^ *io.kubewarden.kwctl:')
  ours=$(kwctl inspect --output yaml "$module" 2> /dev/null)
  diff <(echo "$theirs") <(echo "$ours")
}

@test "kwctl scaffold artifacthub writes the same file, but for the date" {
  kwctl scaffold artifacthub --metadata-path policy-metadata.yml --questions-path questions-ui.yml 2> /dev/null \
    > "$BATS_TEST_TMPDIR/theirs.yml"
  diff <(grep -v '^createdAt: ' "$BATS_TEST_TMPDIR/theirs.yml") <(grep -v '^createdAt: ' artifacthub-pkg.yml)
}

@test "kwctl scaffold manifest takes the annotated module" {
  manifest=$(kwctl scaffold manifest --type ClusterAdmissionPolicy --allow-context-aware "$module" 2> /dev/null)
  grep --quiet '^  mutating: true$' <<< "$manifest"
  grep --quiet '^  backgroundAudit: false$' <<< "$manifest"
}
