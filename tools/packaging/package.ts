import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import { z } from "zod";
import { programDir, programPacksDir } from "../../main/program.ts";
import { builderConfig, type Packaging } from "./builder-config.ts";
import { describeSizes, faultsOf, listPackNames, readPackage } from "./package-content.ts";
import { isPackagePlatform, packageLayout, type PackagePlatform } from "./package-layout.ts";
import { missingSignatures } from "./signing.ts";
import { findRuntime, makeStandInRuntime } from "./package-runtime.ts";
import { print, runProgram, UsageError } from "../../main/commands/running/run-program.ts";

const manifestSchema = z.object({ devDependencies: z.object({ electron: z.string() }) });

type PackageOptions = { readonly output: string; readonly installers?: boolean; readonly release?: boolean };

async function makePackage(options: PackageOptions): Promise<void> {
  const { platform, arch } = process;
  if (!isPackagePlatform(platform))
    throw new UsageError(`The program is packaged on Linux, macOS and Windows, not on ${platform}`);
  const output = path.resolve(options.output);
  const runtime = findRuntime(programDir);
  if (!runtime && platform !== "linux")
    throw new UsageError(
      "The Electron runtime is not installed (npx electron downloads it); a stand-in exists for Linux only",
    );
  const isRelease = options.release === true;
  if (isRelease) refuseUnsigned(platform);
  const makesInstallers = options.installers === true || isRelease;
  if (makesInstallers && !runtime)
    throw new UsageError("Installers need the Electron runtime (npx electron downloads it)");
  if (!runtime) print("The Electron runtime is not installed: packaging with a stand-in, which cannot run.");
  const layout = packageLayout(output, platform, arch);
  const signingFaults: string[] = [];
  const onSigned: Packaging["onSigned"] = ({ said, faults }) => {
    print(said);
    signingFaults.push(...faults);
  };
  const packs = path.join(layout.resources, "packs");
  await packageProgram(runtime, makesInstallers, { output, packs, isRelease, onSigned });
  const content = readPackage(layout);
  print(`${layout.folder}: ${content.archived.length} files, ${describeSizes(content)}`);
  const faults = [...faultsOf(content, platform, arch, listPackNames(programPacksDir)), ...signingFaults];
  for (const fault of faults) print(`FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** @throws UsageError if signing keys for the platform are missing; the system would warn about such a release */
function refuseUnsigned(platform: PackagePlatform): void {
  const missing = missingSignatures(platform, process.env);
  if (missing.length > 0) throw new UsageError(`A release must be signed: ${missing.join("; ")} (docs/installers.md)`);
}

async function packageProgram(
  runtime: string | null,
  makesInstallers: boolean,
  packaging: Omit<Packaging, "electronDist" | "electronVersion">,
): Promise<void> {
  const { build, Platform } = await import("electron-builder");
  const { devDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(programDir, "package.json"), "utf8")),
  );
  const temporary = mkdtempSync(path.join(tmpdir(), "corvet-runtime-"));
  try {
    const electronDist = runtime ?? (await makeStandInRuntime(temporary, devDependencies.electron));
    await build({
      projectDir: programDir,
      targets: makesInstallers ? Platform.current().createTarget() : Platform.current().createTarget("dir"),
      publish: "never",
      config: builderConfig({ ...packaging, electronDist, electronVersion: devDependencies.electron }),
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

await runProgram(
  new Command("package")
    .description(
      "package the built program for this system and check the result; without an Electron runtime, with a stand-in that cannot run",
    )
    .option("--output <dir>", "folder of the packaged program", path.join(programDir, "dist", "package"))
    .option("--installers", "also create this system's installers; needs the Electron runtime")
    .option("--release", "like --installers, but fail without signing keys (docs/installers.md)")
    .action(makePackage),
  process.argv.slice(2),
);
