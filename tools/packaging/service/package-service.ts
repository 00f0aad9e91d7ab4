import { Command, InvalidArgumentError } from "commander";
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { print, runProgram, UsageError } from "../../../main/commands/running/run-program.ts";
import { programDir, programVersion } from "../../../main/program.ts";
import { bytesBelow } from "../package-content.ts";
import { signPackagedPacks } from "../sign-packs.ts";
import { debianVersion } from "./debian-version.ts";
import { copyProductionModules } from "./production-modules.ts";

const run = promisify(execFile);
const debianArch: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: "amd64", arm64: "arm64" };

type ServiceOptions = { readonly output: string; readonly revision: string; readonly fast?: boolean };

async function packageService({ output: folder, revision, fast }: ServiceOptions): Promise<void> {
  const output = path.resolve(folder);
  const arch = debianArch[process.arch];
  if (process.platform !== "linux" || !arch)
    throw new UsageError("The service is packaged on Linux (x64, arm64) with dpkg-deb");
  const stage = mkdtempSync(path.join(tmpdir(), "corvet-service-"));
  try {
    const libraries = layOut(stage);
    const signing = signPackagedPacks(path.join(stage, "usr", "lib", "corvet", "app", "models", "packs"));
    print(signing.said);
    for (const fault of signing.faults) print(`FAULT ${fault}`);
    if (signing.faults.length > 0) process.exitCode = 1;
    const bom = path.join(stage, "usr", "share", "doc", "corvet", "corvet.cdx.json");
    await run(process.execPath, [path.join(programDir, "tools", "packaging", "sbom.ts"), "--output", bom]);
    const version = debianVersion(programVersion, revision);
    writeControl(stage, version, arch);
    mkdirSync(output, { recursive: true });
    const file = path.join(output, `corvet_${version}_${arch}.deb`);
    const compression = fast ? ["-Znone"] : ["-Zgzip", "-z9"];
    await run("dpkg-deb", ["--root-owner-group", ...compression, "--build", stage, file]);
    cpSync(path.join(programDir, "build", "service", "Containerfile"), path.join(output, "Containerfile"));
    print(
      `${file}: ${megabytes(statSync(file).size)}, ${megabytes(bytesBelow(stage))} installed, ${libraries} libraries`,
    );
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function revisionOf(text: string): string {
  if (!/^[0-9a-z.+~]+$/i.test(text)) throw new InvalidArgumentError("It must consist of letters, digits and . + ~");
  return text;
}

function layOut(stage: string): number {
  const app = path.join(stage, "usr", "lib", "corvet", "app");
  const take = (from: string, to: string) => cpSync(path.join(programDir, from), to, { recursive: true });
  for (const room of ["main", "core", "renderer"]) {
    cpSync(path.join(programDir, "dist", room), path.join(app, "dist", room), {
      recursive: true,
      filter: (source) =>
        !/\.(d\.ts|map|tsbuildinfo)$/.test(source) && !source.includes(path.join("dist", "main", "app")),
    });
  }
  for (const file of ["licences.json", "page-licences.txt"])
    take(path.join("dist", file), path.join(app, "dist", file));
  take("samples", path.join(app, "samples"));
  take("models/packs", path.join(app, "models", "packs"));
  const { name, version, type, description, config } = JSON.parse(
    readFileSync(path.join(programDir, "package.json"), "utf8"),
  );
  writeFileSync(path.join(app, "package.json"), `${JSON.stringify({ name, version, type, description }, null, 2)}\n`);
  take("LICENSE", path.join(app, "LICENSE"));
  const libraries = copyProductionModules(programDir, path.join(app, "node_modules"));

  put(stage, "usr/lib/corvet/node", readFileSync(process.execPath), 0o755);
  const command = readService("corvet")
    .replace("@NODE_OPTIONS@", config.nodeOptions)
    .replace("@GLIBC_TUNABLES@", config.glibcTunables);
  put(stage, "usr/bin/corvet", command, 0o755);
  put(stage, "usr/lib/systemd/system/corvet.service", readService("corvet.service"));
  put(stage, "etc/default/corvet", readService("corvet.default"));
  const doc = "usr/share/doc/corvet";
  put(stage, `${doc}/copyright`, readFileSync(path.join(programDir, "LICENSE")));
  const licenceOfNode = licenceBeside(process.execPath);
  if (licenceOfNode) put(stage, `${doc}/copyright-node`, readFileSync(licenceOfNode));
  take("dist/documents", path.join(stage, doc));
  put(stage, `${doc}/README.md`, readFileSync(path.join(programDir, "dist", "documents", "service.md")));
  put(stage, `${doc}/changelog.gz`, gzipSync(readFileSync(path.join(programDir, "CHANGELOG.md")), { level: 9 }));
  return libraries.length;
}

function licenceBeside(node: string): string | null {
  const found = ["..", "../share/doc/nodejs", "../share/doc/node"]
    .flatMap((folder) => ["LICENSE", "copyright"].map((file) => path.resolve(path.dirname(node), folder, file)))
    .find((file) => existsSync(file));
  return found ?? null;
}

function writeControl(stage: string, version: string, arch: string): void {
  const control = `Package: corvet
Version: ${version}
Architecture: ${arch}
Maintainer: Corvet <maintainers@corvet.example>
Section: science
Priority: optional
Depends: adduser, libc6 (>= 2.28), libstdc++6, util-linux
Recommends: ca-certificates
Installed-Size: ${Math.ceil(bytesBelow(stage) / 1024)}
Description: heart measurements and urine screening for veterinary clinics
 Measures dogs' hearts on lateral chest radiographs and screens cats' bloodwork on
 this computer, and answers other local software over HTTPS on loopback.
 .
 Not clinically validated: every value is a proposal for a veterinarian.
`;
  put(stage, "DEBIAN/control", control);
  put(stage, "DEBIAN/conffiles", "/etc/default/corvet\n");
  for (const script of ["postinst", "prerm", "postrm"]) put(stage, `DEBIAN/${script}`, readService(script), 0o755);
}

function readService(file: string): string {
  return readFileSync(path.join(programDir, "build", "service", file), "utf8");
}

function put(stage: string, name: string, content: string | Uint8Array, mode = 0o644): void {
  const file = path.join(stage, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

await runProgram(
  new Command("package:service")
    .description(
      "create a Debian package of the service with Node, the built program, its packs, a systemd unit and the command corvet",
    )
    .option("--output <dir>", "folder of the package", path.join(programDir, "dist", "service"))
    .option("--revision <text>", "appended to the version, for another package of the same version", revisionOf, "1")
    .option("--fast", "do not compress, for tests")
    .action(packageService),
  process.argv.slice(2),
);
