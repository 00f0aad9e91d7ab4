import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { programDir, programPacksDir } from "../../main/program.ts";
import { builderConfig, type Packaging } from "./builder-config.ts";
import { describeSizes, faultsOf, listPackNames, readPackage } from "./package-content.ts";
import { isPackagePlatform, packageLayout, type PackagePlatform } from "./package-layout.ts";
import { missingSignatures } from "./signing.ts";
import { findRuntime, makeStandInRuntime } from "./package-runtime.ts";
import { runCommand } from "../../main/commands/running/run-command.ts";
import { UsageError } from "../../main/commands/running/run-program.ts";

const usage = `npm run package -- [--output DIR] [--installers] [--release]
  --output DIR  where the packaged program goes (default dist/package)
  --installers  makes the installers of this system, too; needs its Electron runtime
  --release     the same, and refuses what is not signed (docs/installers.md)

Packages the built program for this system, with the Electron runtime of this machine or, where there is none, with a stand-in that
cannot run but shows what would be packaged; then checks what is in it.`;

const manifestSchema = z.object({ devDependencies: z.object({ electron: z.string() }) });

runCommand("package", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: {
      output: { type: "string" },
      installers: { type: "boolean", default: false },
      release: { type: "boolean", default: false },
    },
  });
  const { platform, arch } = process;
  if (!isPackagePlatform(platform))
    throw new UsageError(`The program is packaged on Linux, macOS and Windows, not on ${platform}`);
  const output = path.resolve(values.output ?? path.join(programDir, "dist", "package"));
  const runtime = findRuntime(programDir);
  if (!runtime && platform !== "linux")
    throw new UsageError(
      "There is no Electron runtime on this machine (npx electron fetches it); a stand-in exists for Linux only",
    );
  const isRelease = values.release;
  if (isRelease) refuseUnsigned(platform);
  const makesInstallers = values.installers || isRelease;
  if (makesInstallers && !runtime)
    throw new UsageError("Installers need the Electron runtime (npx electron fetches it)");
  if (!runtime) print("There is no Electron runtime on this machine: packaging with a stand-in, which cannot run.");
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
});

/** A release that a system would warn of is none. */
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
