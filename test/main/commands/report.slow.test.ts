import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { reportCommand } from "../../../main/commands/report.ts";
import { runCommand, runSingleCommand } from "../../fixtures/process/corvet-command.ts";
import { recordingEngine } from "../../fixtures/recording/recording-engine.ts";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { phantomFromJpeg, type PhantomFacts } from "../dicom/phantom-film.ts";
import { readResultObject } from "../../../main/dicom/results/read-result.ts";

const out = folderForFile();

/** Only one test needs the networks. */
const report = (...args: string[]) =>
  runSingleCommand(
    reportCommand(() => recordingEngine()),
    ...args,
  );

it("writes a handout and DICOM files for each film, continues after a bad one, and exits with 1", async () => {
  const damaged = path.join(out, "damaged.jpg");
  writeFileSync(damaged, Buffer.from("ffd8ffe000104a464946", "hex"));
  const results = path.join(out, "results");
  mkdirSync(results);
  writeFileSync(path.join(results, "dog-02.pdf"), "an older one", { mode: 0o644 });
  const { status, stdout, stderr } = await runCommand(
    "report",
    "test/fixtures/films/dog-02.jpg",
    damaged,
    "missing.jpg",
    "--out",
    results,
    "--dicom",
    "--language",
    "de",
    "--patient",
    "Bello",
    "--owner",
    "Familie Groß",
  );
  const names = ["dog-02.pdf", "dog-02-film.dcm", "dog-02-annotated.dcm", "dog-02-report.dcm", "dog-02-graphics.dcm"];
  expect([
    status,
    stdout
      .trim()
      .split("\n")
      .map((line) => path.basename(line)),
    readdirSync(results).sort(),
  ]).toEqual([1, names, [...names].sort()]);
  if (process.platform !== "win32")
    for (const name of names) expect([name, statSync(path.join(results, name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(stderr).toMatch(/^report: .*damaged\.jpg: Image could not be decoded$/m);
  expect(stderr).toMatch(/^report: missing\.jpg: .*missing\.jpg does not exist$/m);
  const written = readDicomFile(readFileSync(path.join(results, "dog-02-report.dcm")));
  const [reading] = readResultObject(written)!.readings;
  expect([
    written.text("00100010"),
    written.text("00102297"),
    // Neither species nor date of the film was given.
    written.text("00102201"),
    written.text("00080020"),
    reading!.source,
    reading!.provenance!.packName,
    reading!.score!.vhs! > 5,
  ]).toEqual(["Bello^", "Familie Groß^", "unknown", null, "model", "landmarks-corvet", true]);
});

it.each([
  [["film.jpg"], /required option '--out <dir>' not specified/],
  [["film.jpg", "--out", "x", "--language", "es"], /Allowed choices are en, de, fr/],
])("prints its usage for invalid arguments %j", async (args, said) => {
  const { status, stderr } = await report(...args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  expect(stderr).toContain("not clinically validated");
});

it("does not measure a DICOM film of another view, or of another species unless a species is given", async () => {
  const film = async (name: string, facts: Partial<PhantomFacts>) => {
    const file = path.join(out, name);
    const jpeg = "test/fixtures/films/dog-02.jpg";
    writeFileSync(file, await phantomFromJpeg(jpeg, { instance: "1.2.3.9.1", ...facts }));
    return file;
  };
  const files = [await film("vd.dcm", { view: "VD" }), await film("rabbit.dcm", { species: "Rabbit" })];
  const into = path.join(out, "left-alone");
  const { status, stderr } = await report(...files, "--out", into);
  expect([status, stderr.trim().split("\n"), readdirSync(into)]).toEqual([
    1,
    [
      `report: ${files[0]}: not measured; according to its header it shows another view`,
      `report: ${files[1]}: not measured; according to its header it shows another species`,
    ],
    [],
  ]);
  expect(await report(files[1]!, "--out", into, "--species", "dog")).toMatchObject({ status: 0 });
});

it("prints only its usage for --help", async () => {
  const { status, stdout, stderr } = await report("--help");
  expect([status, stdout.startsWith("Usage: corvet report"), stderr]).toEqual([0, true, ""]);
});
