import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { programDir, programPacksDir } from "../../main/program.ts";
import { describeSizes, faultsOf, listPackNames, readPackage } from "./package-content.ts";
import { isPackagePlatform, packageLayout } from "./package-layout.ts";
import { signPackagedPacks } from "./sign-packs.ts";
import { findRuntime, makeStandInRuntime } from "./package-runtime.ts";
import { runCommand, UsageError } from "../../main/commands/run-command.ts";

const usage = `npm run package -- [--output DIR]
  --output DIR  where the packaged program goes (default dist/package)

Packages the built program for this system, with the Electron runtime of this machine or, where there is none, with a stand-in that
cannot run but shows what would be packaged; then checks what is in it.`;

const manifestSchema = z.object({ devDependencies: z.object({ electron: z.string() }) });

runCommand("package", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { output: { type: "string" } } });
  const { platform, arch } = process;
  if (!isPackagePlatform(platform))
    throw new UsageError(`The program is packaged on Linux, macOS and Windows, not on ${platform}`);
  const output = path.resolve(values.output ?? path.join(programDir, "dist", "package"));
  const runtime = findRuntime(programDir);
  if (!runtime && platform !== "linux")
    throw new UsageError(
      "There is no Electron runtime on this machine (npx electron fetches it); a stand-in exists for Linux only",
    );
  if (!runtime) print("There is no Electron runtime on this machine: packaging with a stand-in, which cannot run.");
  await packageProgram(output, runtime);
  const layout = packageLayout(output, platform, arch);
  const signing = signPackagedPacks(path.join(layout.resources, "packs"));
  print(signing.said);
  const content = readPackage(layout);
  print(`${layout.folder}: ${content.archived.length} files, ${describeSizes(content)}`);
  const faults = [...faultsOf(content, platform, arch, listPackNames(programPacksDir)), ...signing.faults];
  for (const fault of faults) print(`FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
});

async function packageProgram(output: string, runtime: string | null): Promise<void> {
  const { build, Platform } = await import("electron-builder");
  const { devDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(programDir, "package.json"), "utf8")),
  );
  const temporary = mkdtempSync(path.join(tmpdir(), "corvet-runtime-"));
  try {
    const electronDist = runtime ?? (await makeStandInRuntime(temporary, devDependencies.electron));
    await build({
      projectDir: programDir,
      targets: Platform.current().createTarget("dir"),
      publish: "never",
      config: {
        extends: path.join(programDir, "electron-builder.yml"),
        electronDist,
        electronVersion: devDependencies.electron,
        directories: { output, buildResources: "build" },
      },
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
