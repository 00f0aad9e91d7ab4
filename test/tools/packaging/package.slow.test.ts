import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { extractAll, extractFile } from "@electron/asar";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { shownScore } from "../../../core/cardiac/shown-score.ts";
import { packageLayout } from "../../../tools/packaging/package-layout.ts";
import { faultsOf, listPackNames, readPackage, type PackageContent } from "../../../tools/packaging/package-content.ts";
import { dropOnWindow, film, measuredFilm } from "../../electron/actions.ts";
import { call, makeDataDir, quit, removeDataDir } from "../../electron/electron-program.ts";
import { launchInTwin } from "../../electron/twin-program.ts";

const run = promisify(execFile);

describe("the layout of a package", () => {
  it.each([
    ["linux", "x64", "out/linux-unpacked", "out/linux-unpacked/resources", "out/linux-unpacked/corvet-desktop"],
    [
      "linux",
      "arm64",
      "out/linux-arm64-unpacked",
      "out/linux-arm64-unpacked/resources",
      "out/linux-arm64-unpacked/corvet-desktop",
    ],
    ["win32", "x64", "out/win-unpacked", "out/win-unpacked/resources", "out/win-unpacked/Corvet.exe"],
    [
      "darwin",
      "arm64",
      "out/mac-arm64",
      "out/mac-arm64/Corvet.app/Contents/Resources",
      "out/mac-arm64/Corvet.app/Contents/MacOS/Corvet",
    ],
    ["darwin", "x64", "out/mac", "out/mac/Corvet.app/Contents/Resources", "out/mac/Corvet.app/Contents/MacOS/Corvet"],
  ] as const)("is known on %s %s", (platform, arch, folder, resources, executable) => {
    const written = Object.fromEntries(
      Object.entries(packageLayout("out", platform, arch)).map(([part, place]) => [part, place.replaceAll("\\", "/")]),
    );
    expect(written).toEqual({ folder, resources, executable });
  });
});

/** Linux only, since a stand-in for the Electron runtime exists only for Linux. */
describe.skipIf(process.platform !== "linux")("the packaged program (Linux only)", () => {
  const output = folderForFile();
  const layout = packageLayout(output, "linux", process.arch);
  let content: PackageContent;
  let printed: string;
  /** Leftover of an earlier build of another version. */
  const strayMigration = path.join("dist", "main", "store", "migrations", "0002-of-another-version.sql");

  beforeAll(async () => {
    // The page and the preload script are built before all tests; a package contains no other compiled projects.
    await run(process.execPath, ["node_modules/ts7/bin/tsc", "-b", "main"]);
    mkdirSync(path.dirname(strayMigration), { recursive: true });
    writeFileSync(strayMigration, "");
    await run(process.execPath, ["tools/packaging/build-assets.ts"]);
    printed = (await run(process.execPath, ["tools/packaging/package.ts", "--output", output])).stdout;
    expect(printed).toContain("MB in all");
    content = readPackage(layout);
  });

  /** Size of the files of installed libraries that are not in the archive [bytes]. */
  const bytesLeftOutOf = (...libraries: readonly string[]) => {
    const packed = new Set(content.archived);
    const files = libraries.flatMap((library) =>
      readdirSync(`node_modules/${library}`, { recursive: true }).map(
        (file) => `node_modules/${library}/${String(file)}`,
      ),
    );
    const sizes = files.filter((file) => !packed.has(file)).map((file) => statSync(file));
    return sizes.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  };

  it("contains the built program, native parts for this system only, and all packs, within size limits", () => {
    console.info(printed.trim());
    expect(faultsOf(content, "linux", process.arch, listPackNames("models/packs"))).toEqual([]);
    expect(existsSync(strayMigration)).toBe(false);
    expect(printed).toMatch(/\d+ files, [\d.]+ MB in all: archive [\d.]+ MB, native parts [\d.]+ MB, packs [\d.]+ MB/);
    expect(content.archiveBytes).toBeLessThan(36e6);
    expect(bytesLeftOutOf("pdfkit", "dcmjs", "fontkit", "core-js-pure", "zod")).toBeGreaterThan(25e6);
    expect(readdirSync(path.join(layout.folder, "locales")).sort()).toEqual(["de.pak", "en-US.pak", "fr.pak"]);
    expect(content.unpackedBytes).toBeLessThan(120e6);
    const preload = extractFile(path.join(layout.resources, "app.asar"), path.join("dist", "preload", "preload.cjs"));
    expect(preload.length).toBeLessThan(10_000);
  });

  it("has the Electron main module as its entry point", () => {
    const manifest = extractFile(path.join(layout.resources, "app.asar"), "package.json").toString("utf8");
    expect(JSON.parse(manifest)).toMatchObject({ main: "dist/main/app/main.js" });
  });

  it("has all fuses set as configured", async () => {
    const wire = (await getCurrentFuseWire(layout.executable)) as unknown as Record<string, number>;
    const isOn = (option: FuseV1Options) => String.fromCharCode(wire[option]!) === "1";
    expect({
      runAsNode: isOn(FuseV1Options.RunAsNode),
      cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
      nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      filePrivileges: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookieEncryption: true,
      nodeOptions: false,
      inspect: false,
      asarIntegrity: true,
      onlyAsar: true,
      filePrivileges: false,
    });
  });

  it("measures a film and prints a handout on the twin, from a folder with a space and an umlaut", async () => {
    const resources = path.join(output, "Praxis Müller");
    extractAll(path.join(layout.resources, "app.asar"), path.join(resources, "app"));
    symlinkSync(path.join(layout.resources, "packs"), path.join(resources, "packs"));
    const dataDir = await makeDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const program = await launchInTwin([`--data-dir=${dataDir}`, "--port=0"], {
      dataDir,
      resources,
      runsNetworks: true,
    });
    onTestFinished(() => program.end());
    const page = await program.page();
    await dropOnWindow(page, [film("dog-01.jpg")]);
    const { id, reading } = await measuredFilm(page, "dog-01.jpg");
    await expect.poll(() => page.getByTestId("vhs").innerText()).toContain(shownScore(reading!.vhs!).toFixed(1));
    expect((await call(page, "app.licences", {})).licences.length).toBeGreaterThan(20);
    // Names in several scripts, so that the handout needs all fonts and their libraries.
    const names = {
      name: "Bella 벨라 ベラ 贝拉 بيلا เบลล่า",
      species: "dog",
      breed: "",
      owner: "",
      uuid: null,
    } as const;
    await call(page, "films.assignPatient", {
      filmIds: [id],
      patientId: (await call(page, "patients.create", names)).id,
    });
    const request = { exportId: randomUUID(), filmId: id };
    const handout = await call(page, "reports.handout", { ...request, language: "en" });
    const structured = await call(page, "reports.dicom", { ...request, exportId: randomUUID() });
    const [pdf, zip] = await page.evaluate(
      (addresses) =>
        Promise.all(
          addresses.map(async (address) =>
            new TextDecoder("latin1").decode(await (await fetch(address)).arrayBuffer()),
          ),
        ),
      [handout.download.url, structured.download.url],
    );
    expect(pdf).toMatch(/^%PDF-/);
    expect(pdf?.match(/\/FontFile\d? /g)?.length).toBeGreaterThan(5);
    expect(zip).toMatch(/^PK/);
    expect(await quit(program)).toBe(0);
  });

  it("is rejected with sources, superfluous files, foreign parts, a missing pack or a missing document", () => {
    const spare = [
      "node_modules/pdfkit/.yarn/releases/yarn.cjs",
      "node_modules/pdfkit/js/pdfkit.standalone.js",
      "node_modules/dcmjs/build/dcmjs.min.js",
      "node_modules/fontkit/dist/browser.cjs",
      "node_modules/core-js-pure/full/index.js",
    ];
    const spoilt: PackageContent = {
      ...content,
      archived: [
        ...content.archived.filter((name) => name !== "dist/licences.json"),
        "main/compose.ts",
        "node_modules/vite/x.js",
        ...spare,
        "a/win32/x64/onnxruntime.node",
      ],
      locales: [...content.locales, "af.pak"],
      packs: content.packs.filter((name) => !name.startsWith("usg-corvet/")),
      documents: content.documents.filter((name) => name !== "practice.md"),
    };
    const faults = faultsOf(spoilt, "linux", process.arch, ["usg-corvet"]);
    expect(faults).toContain(`spare builds of libraries: ${spare.join(", ")}`);
    expect(faults.map((fault) => fault.split(":")[0])).toEqual([
      "sources",
      "not of the program",
      "tools",
      "spare builds of libraries",
      "other languages",
      "parts of other systems",
      "native parts inside the archive only",
      "missing",
      "missing pack",
      "missing document",
    ]);
  });
});
