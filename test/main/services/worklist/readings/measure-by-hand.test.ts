import { beforeAll, describe, expect, it } from "vitest";
import { trendCsv } from "../../../../../core/contract/desktop/trends/trend-csv.ts";
import { rlad } from "../../../../../core/cardiac/measures/rlad.ts";
import { crossingOfAxes } from "../../../../../core/cardiac/silhouette/square-axes.ts";
import type { Reading } from "../../../../../core/contract/desktop/readings.ts";
import { readDicomFile } from "../../../../../main/dicom/dicom-file.ts";
import { measurementReport } from "../../../../../main/dicom/results/measurement-report.ts";
import { readResultObject } from "../../../../../main/dicom/results/read-result.ts";
import { handoutPdf } from "../../../../../main/report/handout-pdf.ts";
import { drawMeasurement } from "../../../../../main/services/measuring/measurement-drawing.ts";
import { drawStrip } from "../../../../../main/services/measuring/measurement-strip.ts";
import { stripOfReadings } from "../../../../../main/services/results/drawn-reading.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { useBenchOfFile } from "../../../../fixtures/use-bench.ts";
import { subjects } from "../../../dicom/results/subjects.ts";
import { handout } from "../../../report/sample-handouts.ts";
import { measured, measuredPicture } from "../../../store/sample-store.ts";

const bench = useBenchOfFile();
let film: Awaited<ReturnType<typeof filmWithRlad>>;
beforeAll(async () => void (film = await filmWithRlad()));

const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = measured.landmarks;
const axes = { heart_top, heart_bottom, heart_right, heart_left };
const from = crossingOfAxes(axes)!.at;
const direction = rlad.line.direction(axes)!;
const placed = { x: from.x + 195 * direction.x, y: from.y + 195 * direction.y };

async function filmWithRlad() {
  const { id: patientId } = await bench.addPatient({ owner: "Muster" });
  const filmId = await bench.addMeasured("film.png", await smallPicture(1), measured);
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
  const geometry = { ...measuredPicture, heart: { ...axes, VLAS, RLAD: placed }, edges: [...measured.edges] };
  const { reading } = await bench.decide(filmId, { verdict: "corrected", who: "Dr. Muster", geometry });
  return { patientId, filmId, reading };
}

/** Writes a reading to a structured report. @returns the readings parsed from it */
function restored(reading: Reading) {
  const subject = subjects["a correction by a person with umlauts"]!;
  const film = {
    ...{ sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid: "1.2.3.4.5", seriesInstanceUid: "1.2.3.4.1" },
    frameNumber: null,
    size: reading.frame,
    pixelAspect: 1,
    said: null,
  };
  const { bytes } = measurementReport({ ...subject, readings: [reading] }, film);
  return readResultObject(readDicomFile(bytes))!.readings;
}

describe("an optional measure", () => {
  it("is stored with the version of the reading and its author", async () => {
    const { filmId, reading } = film;
    expect(reading.score!.rlad).toBeCloseTo(1.95, 1);
    const { film: shown, readings } = await bench.call("films.get", { filmId });
    expect(readings.map(({ version, who, score }) => [version, who, score!.rlad])).toEqual([
      [1, null, undefined],
      [2, "Dr. Muster", reading.score!.rlad],
    ]);
    expect(shown.reading!.rlad).toBe(reading.score!.rlad);
    const accepted = await bench.accept(filmId, "Dr. Zweit");
    expect(accepted.film.reading!.rlad).toBe(reading.score!.rlad);
  });

  it("is part of the trend and its table only if placed", async () => {
    const { patientId, reading } = film;
    const { points, rlad: rate } = await bench.call("trends.get", { patientId });
    expect([points[0]!.rlad, rate]).toEqual([reading.score!.rlad, null]);
    expect(trendCsv(points).split("\r\n")[0]).toBe(
      "date,vhs,vlas,rlad,confidence,source,signed_by,original_vhs,original_vlas,original_rlad,pack,pack_version,pack_released_by,pack_publisher",
    );
  });

  it("is written to the structured report and restored with its point", async () => {
    const { reading } = film;
    const [back] = restored(reading);
    expect(back!.score!.rlad).toBeCloseTo(reading.score!.rlad!, 5);
    expect(back!.heart!.RLAD!.x).toBeCloseTo(placed.x, 1);
  });

  it("is proposed only if the pack states its interval, which the structured report preserves", async () => {
    const end = { value: 1.6, point: placed };
    const interval = { low: 1.24, high: 1.96 };
    const intervals = { coverage: 0.8, vhs: null, vlas: null };
    const proposals: Reading[] = [];
    for (const [index, said] of [{ ...intervals, rlad: interval }, intervals].entries()) {
      const measurement = { ...measured, rlad: end, intervals: said };
      const filmId = await bench.addMeasured("film.png", await smallPicture(2 + index), measurement);
      proposals.push(...(await bench.call("films.get", { filmId })).readings);
    }
    expect(proposals.map(({ score, heart }) => [score?.rlad, heart?.RLAD])).toEqual([
      [1.6, placed],
      [undefined, undefined],
    ]);
    const [back] = restored(proposals[0]!);
    expect(back!.intervals!.rlad).toEqual(interval);
  });

  it("is drawn in its colour, listed in the strip and printed in the handout", async () => {
    const { reading } = film;
    const { ruler, score } = reading;
    const picture = (heart: Reading["heart"]) =>
      drawMeasurement({ heart: heart!, ruler: ruler!, score: score! }, { width: 1080, height: 900, scale: 1 });
    expect(picture(reading.heart)).toContain(rlad.line.colour);
    expect(picture({ ...reading.heart!, RLAD: null })).not.toContain(rlad.line.colour);
    const strip = (readings: readonly Reading[]) =>
      drawStrip(stripOfReadings(readings), { width: 1080, top: 0 }).match(/<path/g)!.length;
    const without = { ...score!, rlad: undefined };
    expect(strip([reading]) - strip([{ ...reading, score: without }])).toBe(3);
    const { pdf } = await handoutPdf({ ...handout, reading });
    expect(pdf.length).toBeGreaterThan(
      (await handoutPdf({ ...handout, reading: { ...reading, score: without } })).pdf.length,
    );
  });
});
