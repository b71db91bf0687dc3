// The component in JavaScript: transpiled by jco, every case.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { transpile, writeFiles } from "@bytecodealliance/jco-transpile";

import { cases, expectedObject, failureOf, patchedObject, project } from "./cases.mjs";

const COMPONENT = fileURLToPath(project("imagestream-import-mode.component.wasm"));
const OUT = fileURLToPath(project("tests/js/out"));

let policy;
let layers;

/** Answers `get-resource` of the request at hand. */
let getResource;

before(async () => {
  const { files, imports } = await transpile(COMPONENT, {
    name: "policy",
    instantiation: "sync",
    outDir: OUT,
  });
  assert.deepEqual(imports, ["imagestream-import-mode:policy/cluster"]);
  await writeFiles(files, { quiet: true });
  const { instantiate } = await import("./out/policy.js");
  const core = (path) => new WebAssembly.Module(readFileSync(`${OUT}/${path}`));
  const cluster = { getResource: (...resource) => getResource(...resource) };
  const component = instantiate(core, { "imagestream-import-mode:policy/cluster": cluster });
  policy = component.admission;
  layers = component.layers;
});

/** Answers from a case's cluster and writes down what was asked. */
function reader(cluster, asked) {
  return (apiVersion, kind, namespace, name, fieldMasks) => {
    assert.ok(fieldMasks.length > 0);
    const key = [apiVersion, kind, namespace, name].filter((part) => part !== undefined).join("/");
    asked.push(key);
    const answer = cluster.get(key);
    const failure = answer === undefined ? undefined : failureOf(answer);
    if (failure === undefined || /Cannot find .* named/.test(failure)) {
      return failure === undefined ? answer : undefined;
    }
    throw { tag: "refused", val: failure };
  };
}

const MODES = { legacy: "Legacy", "preserve-original": "PreserveOriginal" };

function check({ request, cluster, settings, expected }) {
  const asked = [];
  getResource = reader(cluster, asked);
  let verdict;
  try {
    verdict = policy.validate(request, settings);
  } catch (error) {
    // jco throws the error of a result as it is.
    assert.equal(error.tag, "malformed-request", error.stack);
    assert.equal(expected.allowed, false);
    return;
  }
  assert.deepEqual(asked, expected.hostCalls);
  assert.equal(verdict.tag !== "reject", expected.allowed);
  const { edits = [], warnings = [] } = verdict.val;
  const modes = edits.map(({ pointer, mode }) => [pointer, MODES[mode]]);
  assert.deepEqual(Object.fromEntries(modes), expected.modes);
  assert.deepEqual(warnings.map(({ kind }) => kind), expected.warnings);
  for (const { kind, line } of warnings) {
    assert.ok(line.startsWith(`${kind}: `), line);
  }
  const patch = policy.jsonPatch(request, settings);
  assert.equal(patch !== undefined, verdict.tag === "mutate");
  if (patch !== undefined) {
    assert.deepEqual(patchedObject(request, patch), expectedObject(request, expected.modes));
  }
}

test("every case", async (t) => {
  let decisions = 0;
  for (const one of cases()) {
    decisions += 1;
    try {
      check(one);
    } catch (error) {
      error.message = `${one.name}: ${error.message}`;
      throw error;
    }
  }
  t.diagnostic(`${decisions} decisions`);
  assert.ok(decisions > 300);
});

test("settings faults come with their keys", () => {
  getResource = () => assert.fail("no settings need the cluster");
  assert.deepEqual(policy.validateSettings("{}"), []);
  const faults = policy.validateSettings('{"overwrite":"always","action":"Report"}');
  assert.deepEqual(faults.map(({ key }) => key), ["overwrite"]);
  assert.deepEqual(policy.validateSettings("{"), [
    { key: undefined, message: "the settings are not valid JSON" },
  ]);
});

test("layers of every recorded stream", (t) => {
  const data = project("tests/data/layers/");
  let answers = 0;
  for (const folder of readdirSync(data)) {
    const read = (file) => readFileSync(new URL(`${folder}/${file}`, data), "utf8");
    if (!existsSync(new URL(`${folder}/imagestream.json`, data))) continue;
    const expected = JSON.parse(read("layers.json"));
    const index = new layers.Index();
    assert.equal(index.hasSynced(), false);
    index.replaceAll([read("images.json")]);
    assert.equal(index.hasSynced(), true);
    const answer = index.imageStreamLayers(read("imagestream.json"));
    // openshift-apiserver refuses a stream with an inconsistent image; the index says which it is.
    assert.equal(answer.problems().length > 0, expected.kind === "Status", folder);
    if (expected.kind === "Status") continue;
    answers += 1;
    assert.deepEqual(JSON.parse(answer.toJson()), expected);
    for (const name of [...Object.keys(expected.blobs), ...Object.keys(expected.images)]) {
      assert.ok(answer.contains(name), name);
    }
    assert.equal(answer.contains("nowhere"), false);
  }
  t.diagnostic(`${answers} answers`);
  assert.ok(answers > 5);
});

test("an object that cannot be used is named", () => {
  const index = new layers.Index();
  // jco throws the error of a result as it is.
  assert.throws(() => index.apply('{"metadata":{"name":"x"},"dockerImageLayers":5}'), {
    tag: "malformed-image",
    val: {
      name: "x",
      position: undefined,
      reason: "dockerImageLayers: invalid type: integer `5`, expected a list",
    },
  });
});
