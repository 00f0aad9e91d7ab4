import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { runDicomFuzz } from "./dicom-fuzz.ts";
import { createMutator } from "./dicom-mutations.ts";

const mutations = 50_000;

it(`shows or refuses ${mutations} damaged films in bounded memory`, async () => {
  const films = readdirSync("test/fixtures/dicom")
    .filter((name) => name.endsWith(".dcm"))
    .sort()
    .map((name) => readFileSync(`test/fixtures/dicom/${name}`));
  const report = await runDicomFuzz(createMutator(20_262, films), mutations);
  expect(report).toMatchObject({ mutations, lostThreads: {}, failures: [] });
  expect(report.outcomes["shown"]).toBeGreaterThan(mutations / 5);
  expect(report.outcomes["INVALID_DICOM"]).toBeGreaterThan(mutations / 3);
  expect(report.peakMegabytes).toBeLessThan(2048);
});
