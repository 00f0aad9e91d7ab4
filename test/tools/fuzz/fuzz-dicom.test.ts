import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMutator } from "../../../tools/fuzz/dicom-mutations.ts";
import { runDicomFuzz } from "../../../tools/fuzz/fuzz-dicom-run.ts";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { transferSyntaxes } from "../../../main/dicom/pixels/coded/transfer-syntaxes.ts";

const films = readdirSync("test/fixtures/dicom")
  .filter((name) => name.endsWith(".dcm"))
  .sort()
  .map((name) => readFileSync(`test/fixtures/dicom/${name}`));

describe("fuzzing DICOM, in short", () => {
  test("starts from sound films of every transfer syntax", async () => {
    expect(new Set(films.map((film) => readDicomFile(film).transferSyntaxUid))).toEqual(
      new Set(transferSyntaxes.map(({ uid }) => uid)),
    );
    const sound = [...films];
    const report = await runDicomFuzz(() => sound.pop() as Buffer, films.length);
    expect(report).toMatchObject({ outcomes: { shown: films.length }, lostThreads: {}, failures: [] });
  });
  test("the same seed damages in the same way", () => {
    const [one, other] = [createMutator(5, films), createMutator(5, films)];
    for (let number = 0; number < 50; number += 1) expect(Buffer.compare(one(), other())).toBe(0);
  });
  test("three thousand damaged films: no crash, no hang, memory bounded", { timeout: 300_000 }, async () => {
    const report = await runDicomFuzz(createMutator(20_261, films), 3000);
    expect(report).toMatchObject({ mutations: 3000, lostThreads: {}, failures: [] });
    expect(report.outcomes["shown"]).toBeGreaterThan(600);
    expect(report.outcomes["INVALID_DICOM"]).toBeGreaterThan(1000);
    expect(report.peakMegabytes).toBeLessThan(2048);
  });
});
