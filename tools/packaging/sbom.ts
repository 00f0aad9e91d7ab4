import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { z } from "zod";
import { programDir, programPacksDir, programVersion } from "../../main/program.ts";
import { licencesOfLockFile } from "../../main/services/program/licences/licences.ts";
import { partsInside } from "../../main/services/program/licences/prebuilt-parts.ts";
import { listPackNames } from "./package-content.ts";
import { print, runProgram } from "../../main/commands/running/run-program.ts";

const bomSchema = z.looseObject({ components: z.array(z.looseObject({ name: z.string(), version: z.string() })) });

function writeBillOfMaterials(options: { readonly output: string }): void {
  const output = path.resolve(options.output);
  const bom = bomSchema.parse(JSON.parse(readLibraries()));
  const inside = new Set(
    licencesOfLockFile(path.join(programDir, "package-lock.json")).flatMap(({ name, version }) =>
      version.split(", ").map((one) => `${name} ${one}`),
    ),
  );
  const libraries = bom.components
    .filter(({ name, version, group }) =>
      inside.has(`${typeof group === "string" ? `${group}/` : ""}${name} ${version}`),
    )
    .map((component) => withParts(withoutMembers(component, ["externalReferences", "properties"])));
  const packs = listPackNames(programPacksDir).map(describePack);
  // npm's dependency graph would have dangling references to the omitted development tools.
  const head = withoutMembers(bom, ["dependencies"]);
  head["metadata"] = {
    timestamp: new Date().toISOString(),
    component: { type: "application", "bom-ref": "corvet", name: "corvet", version: programVersion },
  };
  writeFileSync(output, `${JSON.stringify({ ...head, components: [...libraries, ...packs] }, null, 2)}\n`);
  print(`${output}: ${libraries.length} libraries, ${packs.length} model packs`);
}

function readLibraries(): string {
  return execFileSync(
    "npm",
    ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"],
    {
      cwd: programDir,
      encoding: "utf8",
      maxBuffer: 64e6,
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    },
  );
}

/** Adds components bundled into a library, which npm does not list. */
function withParts(library: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const parts = typeof library["group"] === "string" ? [] : partsInside(String(library["name"]));
  const components = parts.map(({ name, version, licence }) => ({
    type: "library",
    name,
    version,
    licenses: [{ license: { name: licence } }],
  }));
  return components.length > 0 ? { ...library, components } : library;
}

function describePack(name: string): Readonly<Record<string, unknown>> {
  const folder = path.join(programPacksDir, name);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")));
  const files = readdirSync(folder).map((file) => ({
    type: "file",
    name: file,
    hashes: [
      {
        alg: "SHA-256",
        content: createHash("sha256")
          .update(readFileSync(path.join(folder, file)))
          .digest("hex"),
      },
    ],
  }));
  return { type: "machine-learning-model", "bom-ref": `${name}@${version}`, name, version, components: files };
}

function withoutMembers(whole: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}

await runProgram(
  new Command("sbom")
    .description(
      "write a CycloneDX bill of materials: libraries of program and page, model packs with the hash of each file",
    )
    .option("--output <file>", "the file to write", path.join(programDir, "dist", "corvet.cdx.json"))
    .action(writeBillOfMaterials),
  process.argv.slice(2),
);
