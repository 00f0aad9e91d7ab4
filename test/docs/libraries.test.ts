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
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

it("finds a licence for every library of the program", () => {
  expect(licencesOfLockFile("package-lock.json").filter(({ licence }) => licence.includes("unknown"))).toEqual([]);
});

it("lists the libraries that the page imports, and their dependencies", () => {
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

it("lists the parts of prebuilt binaries with their installed versions", () => {
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

it("accepts only the tested build of the DICOM codecs", () => {
  const bytes = readFileSync("node_modules/dcmjs-codecs/build/dcmjs-native-codecs.wasm");
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "dff1bc9b3872588c231ea90894f05e7eacd7f5074b9db964e64e7f3f29821d30",
  );
});
