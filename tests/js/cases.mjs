// The case files, as text: numbers like 1.0 must arrive as they were written.

import { readdirSync, readFileSync } from "node:fs";
import assert from "node:assert/strict";

export const project = (path) => new URL(`../../${path}`, import.meta.url);

const FOLDER = project("tests/cases/admission/");

/** Every expectation of every case. */
export function* cases() {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
    const text = readFileSync(new URL(file, FOLDER), "utf8");
    const members = membersOf(text);
    const request = members.get("request");
    const cluster = membersOf(members.get("cluster") ?? "{}");
    for (const expected of elementsOf(members.get("expect"))) {
      const settings = membersOf(expected).get("settings");
      yield { name: `${file} ${settings}`, request, cluster, settings, expected: JSON.parse(expected) };
    }
  }
}

/** The failure that a cluster's answer stands for, if it is one. */
export function failureOf(answer) {
  const value = JSON.parse(answer);
  const keys = Object.keys(value ?? {});
  return keys.length === 1 && typeof value.error === "string" ? value.error : undefined;
}

/** The object of a request with the expected modes, and nothing else changed. */
export function expectedObject(request, modes) {
  const object = JSON.parse(request).object;
  for (const [pointer, mode] of Object.entries(modes)) {
    const [parent] = resolve(object, pointer.replace(/\/importPolicy\/importMode$/, "/importPolicy"));
    parent.importPolicy = { ...parent.importPolicy, importMode: mode };
  }
  return object;
}

/** The object of a request after a JSON Patch that only adds. */
export function patchedObject(request, patch) {
  const object = JSON.parse(request).object;
  for (const { op, path, value } of JSON.parse(patch)) {
    assert.equal(op, "add");
    const [parent, key] = resolve(object, path);
    parent[key] = value;
  }
  return object;
}

/** The parent and the last key of a JSON pointer, whose keys need no escapes here. */
function resolve(object, pointer) {
  const keys = pointer.slice(1).split("/");
  const last = keys.pop();
  return [keys.reduce((value, key) => value[key], object), last];
}

/** The members of an object's text, by key; the last one where a key repeats. */
export function membersOf(text) {
  const parts = partsOf(text);
  const members = new Map();
  for (let index = 0; index < parts.length; index += 2) {
    members.set(JSON.parse(parts[index]), parts[index + 1]);
  }
  return members;
}

function elementsOf(text) {
  return partsOf(text);
}

/** What stands between the brackets of an object or array, cut at its commas and colons. */
function partsOf(text) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/gs)) {
    const [symbol] = token;
    const opens = symbol === "{" || symbol === "[";
    const closes = symbol === "}" || symbol === "]";
    if (opens && depth === 0) start = token.index + 1;
    if (closes && depth === 1 && text.slice(start, token.index).trim() !== "") {
      parts.push(text.slice(start, token.index).trim());
    }
    if (depth === 1 && (symbol === "," || symbol === ":")) {
      parts.push(text.slice(start, token.index).trim());
      start = token.index + 1;
    }
    depth += opens ? 1 : closes ? -1 : 0;
  }
  return parts;
}
