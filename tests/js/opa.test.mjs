// The OPA policy in the npm SDK, every case.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import opa from "@open-policy-agent/opa-wasm";

import { cases, expectedObject, failureOf, membersOf, patchedObject, project } from "./cases.mjs";

const MODULE = new WebAssembly.Module(readFileSync(project("imagestream-import-mode.opa.wasm")));

const bytes = (text) => new TextEncoder().encode(text).buffer;
const object = (members) =>
  `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;

/** Settings and cluster of a case as OPA's `data`: a plural is missing if its read fails. */
function dataOf({ settings, cluster, expected }) {
  const plurals = { images: [], clusterversions: [], imagestreams: [] };
  for (const [key, answer] of cluster) {
    const [group, version, kind, ...names] = key.split("/");
    const plural = `${kind.toLowerCase()}s`;
    const failure = failureOf(answer);
    if (failure !== undefined) {
      const read = expected.hostCalls.includes(key);
      if (read && !/Cannot find .* named/.test(failure)) delete plurals[plural];
      continue;
    }
    // Objects of an API server name their type.
    const typed =
      answer.startsWith("{") && !membersOf(answer).has("apiVersion")
        ? object([["apiVersion", JSON.stringify(`${group}/${version}`)], ...membersOf(answer)])
        : answer;
    const [first, ...rest] = names;
    const nested = rest.reduceRight((json, part) => object([[part, json]]), typed);
    plurals[plural]?.push([first, nested]);
  }
  const kubernetes = Object.entries(plurals).map(([plural, objects]) => [plural, object(objects)]);
  const own = settings.startsWith("{") ? [...membersOf(settings)] : [];
  return object([...own, ["kubernetes", object(kubernetes)]]);
}

function check(policy, one) {
  const { request, expected } = one;
  policy.setData(bytes(dataOf(one)));
  const results = policy.evaluate(bytes(object([["request", request]])), "policy/main");
  assert.equal(results.length, 1);
  const { response } = results[0].result;
  assert.equal(response.allowed, expected.allowed);
  assert.equal(response.uid, JSON.parse(request).uid ?? "");
  const kinds = (response.warnings ?? []).map((line) => line.split(": ")[0]);
  assert.deepEqual(kinds, expected.warnings);
  assert.equal(response.patch !== undefined, Object.keys(expected.modes).length > 0);
  assert.equal(response.status !== undefined, !expected.allowed);
  if (response.patch !== undefined) {
    assert.equal(response.patchType, "JSONPatch");
    const patch = Buffer.from(response.patch, "base64").toString();
    assert.deepEqual(patchedObject(request, patch), expectedObject(request, expected.modes));
  }
}

test("every case, all in one instance", (t) => {
  const policy = opa.loadPolicySync(MODULE);
  assert.deepEqual(policy.entrypoints, { "policy/main": 0 });
  let decisions = 0;
  for (const one of cases()) {
    decisions += 1;
    try {
      check(policy, one);
    } catch (error) {
      error.message = `${one.name}: ${error.message}`;
      throw error;
    }
  }
  t.diagnostic(`${decisions} decisions`);
  assert.ok(decisions > 300);
});

test("10,000 evaluations leave the memory as it is", () => {
  const policy = opa.loadPolicySync(MODULE);
  const { request } = cases().next().value;
  const input = bytes(object([["request", request]]));
  const first = policy.evaluate(input);
  const size = policy.mem.buffer.byteLength;
  for (let round = 0; round < 10_000; round += 1) {
    assert.deepEqual(policy.evaluate(input), first);
  }
  assert.equal(policy.mem.buffer.byteLength, size);
});

test("bad input is a rejection with a status", () => {
  const policy = opa.loadPolicySync(MODULE);
  for (const input of [undefined, 7, {}, bytes("{"), bytes("\ufeff"), { request: { uid: "u" } }]) {
    const [{ result }] = policy.evaluate(input);
    assert.equal(result.response.allowed, false);
    assert.equal(result.response.status.code, 400);
    assert.match(result.response.status.message, /^cannot understand the admission request: /);
  }
});
