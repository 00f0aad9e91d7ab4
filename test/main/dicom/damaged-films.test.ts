import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { transferSyntaxes } from "../../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { runDicomFuzz } from "../../long/dicom-fuzz.ts";
import { createMutator } from "../../long/dicom-mutations.ts";

const films = readdirSync("test/fixtures/dicom")
  .filter((name) => name.endsWith(".dcm"))
  .sort()
  .map((name) => readFileSync(`test/fixtures/dicom/${name}`));

it("shows sound films of every transfer syntax", async () => {
  expect(new Set(films.map((film) => readDicomFile(film).transferSyntaxUid))).toEqual(
    new Set(transferSyntaxes.map(({ uid }) => uid)),
  );
  const sound = [...films];
  const report = await runDicomFuzz(() => sound.pop() as Buffer, films.length);
  expect(report).toMatchObject({ outcomes: { shown: films.length }, lostThreads: {}, failures: [] });
});

it("shows or refuses 100 damaged films without losing a thread", async () => {
  const report = await runDicomFuzz(createMutator(20_261, films), 100);
  expect(report).toMatchObject({ mutations: 100, lostThreads: {}, failures: [] });
  expect(report.outcomes["shown"]).toBeGreaterThan(10);
  expect(report.outcomes["INVALID_DICOM"]).toBeGreaterThan(20);
});
