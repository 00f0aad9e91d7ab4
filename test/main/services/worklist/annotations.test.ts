import { beforeEach, describe, expect, it } from "vitest";
import type { AnnotationSet } from "../../../../core/contract/desktop/annotations.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { openBenchForTest, useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { measured } from "../../store/sample-store.ts";
import { rawly, tamper } from "../../../fixtures/raw-store.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const bench = useBenchOfFile();
let filmId: string;
let films = 0;
beforeEach(async () => {
  filmId = await bench.addMeasured("film.png", await smallPicture((films += 1)), measured);
});

const line = (toX: number): AnnotationSet["annotations"][number] => ({
  id: "a",
  tool: "length",
  points: pointsAt([10, 10], [toX, 10]),
  text: "",
});
/** Annotations in a frame five times as large as the film, whose width differs per test. */
const setOf = (...annotations: AnnotationSet["annotations"]): AnnotationSet => ({
  frame: { widthPx: 5 * (120 + films), heightPx: 450 },
  corners: null,
  calibration: null,
  annotations,
});
const save = (basedOn: number, set: AnnotationSet) =>
  bench.call("annotations.save", { filmId, basedOn, who: "Dr. Muster", set });

describe("annotations of a film", () => {
  it("are versions with user and time", async () => {
    const first = await save(0, setOf(line(50)));
    const second = await save(1, setOf(line(80)));
    const { versions } = await bench.call("annotations.list", { filmId });
    expect(versions).toEqual([first, second]);
    expect(versions.map(({ version, who, set }) => [version, who, set.annotations[0]!.points[1]!.x])).toEqual([
      [1, "Dr. Muster", 50],
      [2, "Dr. Muster", 80],
    ]);
  });

  it("reject a change based on an outdated version", async () => {
    await save(0, setOf(line(50)));
    await expect(save(0, setOf())).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("are sealed against changes and audited with the author", async () => {
    // Tampering removes the triggers.
    const other = await openBenchForTest();
    const id = await other.addMeasured("film.png", await smallPicture(films), measured);
    const drawn = { filmId: id, basedOn: 0, who: "Dr. Muster", set: setOf(line(50)) };
    await other.call("annotations.save", drawn);
    expect((await verifyRecord(other.context.db, null)).fault).toBeNull();
    const { events } = await other.call("audit.list", {});
    expect(events.find(({ action }) => action === "film.annotated")).toMatchObject({ who: "Dr. Muster" });
    await tamper(other.context.db, "UPDATE annotations SET who = 'Nobody'");
    expect((await verifyRecord(other.context.db, null)).fault?.subject).toMatch(/^annotations\//);
  });

  it.each([
    ["an angle of two points", { ...line(50), tool: "angle" as const }],
    ["a polygon of two points", { ...line(50), tool: "polygon" as const }],
    ["a length of three points", { ...line(50), points: [...line(50).points, { x: 1, y: 1 }] }],
    [
      "a coordinate that is not a number",
      {
        ...line(50),
        points: pointsAt([Number.NaN, 0], [1, 1]),
      },
    ],
    ["a text of a thousand characters", { ...line(50), text: "x".repeat(1000) }],
  ])("reject %s", async (_, annotation) => {
    await expect(save(0, setOf(annotation))).rejects.toMatchObject({ code: expect.stringMatching(/INVALID|MISSING/) });
    expect((await bench.call("annotations.list", { filmId })).versions).toEqual([]);
  });

  it("reject a calibration without two distinct points or with a length of zero", async () => {
    const place = { x: 5, y: 5 };
    const calibrated = (to: { x: number; y: number }, lengthMm: number) =>
      save(0, { ...setOf(), calibration: { from: place, to, lengthMm } });
    await expect(calibrated(place, 50)).rejects.toMatchObject({ code: expect.any(String) });
    await expect(calibrated({ x: 90, y: 5 }, 0)).rejects.toMatchObject({ code: expect.any(String) });
    await expect(calibrated({ x: 90, y: 5 }, 50)).resolves.toMatchObject({ version: 1 });
  });

  it("are erased with their patient, and the record still verifies", async () => {
    const rex = await bench.addPatient({}, filmId);
    await save(0, setOf(line(50)));
    await bench.call("patients.erase", { patientId: rex.id, why: "the owner asked for it" });
    expect(await rawly(bench.context.db, `SELECT id FROM annotations WHERE film_id = '${filmId}'`)).toEqual([]);
    expect((await verifyRecord(bench.context.db, null)).fault).toBeNull();
  });

  it("of a missing film are rejected", async () => {
    await expect(bench.call("annotations.list", { filmId: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
