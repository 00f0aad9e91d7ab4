import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { licencesOfLockFile } from "../../main/services/program/licences.ts";

const manifest = z
  .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const { packages } = z
  .object({ packages: z.record(z.string(), z.object({ license: z.string().optional() })) })
  .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

/** Name, version, licence, date, home and reason. */
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

it("gives every library a release date, a home and a reason", () => {
  const incomplete = rows.filter(
    ([, , , released = "", home = "", reason = ""]) =>
      !/^20\d\d-\d\d-\d\d$/.test(released) || !/^[\w.-]+\/[\w./-]+$/.test(home) || reason.length < 4,
  );
  expect(incomplete).toEqual([]);
});

it("knows the licence of every library in the program", () => {
  expect(licencesOfLockFile("package-lock.json").filter(({ licence }) => licence.includes("unknown"))).toEqual([]);
});

it("takes no other build of the DICOM codecs than the one that was tested", () => {
  const bytes = readFileSync("node_modules/dcmjs-codecs/build/dcmjs-native-codecs.wasm");
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "dff1bc9b3872588c231ea90894f05e7eacd7f5074b9db964e64e7f3f29821d30",
  );
});
