import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { licencesOfLockFile, pageLibraries } from "../../main/services/program/licences/licences.ts";
import { partsInside } from "../../main/services/program/licences/prebuilt-parts.ts";

const manifest = z
  .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const { packages } = z
  .object({ packages: z.record(z.string(), z.object({ license: z.string().optional() })) })
  .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

/** Name, version, licence, date, home, maintainers and reason. */
const rows = readFileSync("docs/libraries.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| library"))
  .map((line) => line.slice(2, -2).split(" | "));

it("names every library with the version that is pinned and the licence that it states", () => {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const licenceOf = (name: string) => packages[`node_modules/${name}`]?.license ?? "unknown";
  expect(rows.map(([name, version, licence]) => `${name} ${version} ${licence}`).sort()).toEqual(
    wanted.map(([name, version]) => `${name} ${version} ${licenceOf(name)}`).sort(),
  );
});

const person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const people = z.object({
  author: person.optional(),
  maintainers: z.array(person).optional(),
  contributors: z.array(person).optional(),
});

/** Whom an installed package names, without addresses: three at most; else the owner of its repository. */
function maintainersOf(name: string, home: string): string {
  const stated = people.parse(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")));
  const all = [stated.author ?? [], stated.maintainers ?? [], stated.contributors ?? []].flat();
  const names = [...new Set(all.map((each) => each.replace(/\s*[<(].*$/, "").trim()))];
  if (names.length === 0) return `${home.split("/")[0] ?? ""} (owner)`;
  return names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
}

it("names who maintains each library, as the installed package states it", () => {
  expect(rows.map(([name, , , , , maintainers]) => `${name}: ${maintainers}`)).toEqual(
    rows.map(([name = "", , , , home = ""]) => `${name}: ${maintainersOf(name, home)}`),
  );
});

it("gives every library a release date, a home and a reason", () => {
  const incomplete = rows.filter(
    ([, , , released = "", home = "", , reason = ""]) =>
      !/^20\d\d-\d\d-\d\d$/.test(released) || !/^[\w.-]+\/[\w./-]+$/.test(home) || reason.length < 4,
  );
  expect(incomplete).toEqual([]);
});

it("knows the licence of every library in the program", () => {
  expect(licencesOfLockFile("package-lock.json").filter(({ licence }) => licence.includes("unknown"))).toEqual([]);
});

it("counts what the page imports, and what that needs, among the libraries of the program", () => {
  const sources = ["renderer", "core", "preload"].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && file !== "vite.config.ts")
      .map((file) => readFileSync(path.join(room, file), "utf8")),
  );
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/(?:from|import) "((?:@[\w-]+\/)?[\w-]+)[^"]*"/g)].map(([, name = ""]) => name),
  );
  const known = [...pageLibraries, ...Object.keys(manifest.dependencies), "electron"];
  expect([...new Set(imported)].filter((name) => !known.includes(name))).toEqual([]);
  const listed = licencesOfLockFile("package-lock.json").map(({ name }) => name);
  expect(listed).toEqual(
    expect.arrayContaining(["@floating-ui/dom", "@tanstack/virtual-core", "d3-scale", "marked", "scheduler"]),
  );
  expect(listed.filter((name) => name.startsWith("@types/") || name === "vite")).toEqual([]);
});

it("knows what was built into the binaries of libraries, in the versions that are here", () => {
  const nameOf = (key: string) => ({ uhdr: "libultrahdr" })[key] ?? key;
  const versionOf = new Map(partsInside("sharp").map(({ name, version }) => [name, version]));
  const [file] = readdirSync("node_modules/@img")
    .map((folder) => `node_modules/@img/${folder}/versions.json`)
    .filter((name) => existsSync(name));
  const versions = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file ?? "", "utf8")));
  expect(
    Object.entries(versions).filter(
      ([key, version]) => ![nameOf(key), `lib${key}`].some((name) => versionOf.get(name) === version),
    ),
  ).toEqual([]);
  const require = createRequire(import.meta.url);
  for (const name of ["better-sqlite3", "better-sqlite3-multiple-ciphers"]) {
    const Sqlite = require(name) as typeof Database;
    const version = new Sqlite(":memory:").prepare("SELECT sqlite_version()").pluck().get();
    expect(partsInside(name)[0]?.version, name).toBe(version);
  }
});

it("names every library under the LGPL, and what its licence asks to be said", () => {
  const page = readFileSync("docs/libraries.md", "utf8").replaceAll("\n", " ");
  const weak = partsInside("sharp").filter(({ licence }) => /LGPL|MPL/.test(licence));
  expect(weak.length).toBeGreaterThan(5);
  expect(weak.filter(({ name }) => !page.includes(name))).toEqual([]);
  expect(partsInside("dcmjs-codecs").filter(({ name, version }) => !page.includes(`${name} ${version}`))).toEqual([]);
  expect(page).toContain("based in part on the work of the Independent JPEG Group");
});

it("takes no other build of the DICOM codecs than the one that was tested", () => {
  const bytes = readFileSync("node_modules/dcmjs-codecs/build/dcmjs-native-codecs.wasm");
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "dff1bc9b3872588c231ea90894f05e7eacd7f5074b9db964e64e7f3f29821d30",
  );
});
