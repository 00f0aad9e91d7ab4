import { expect, it } from "vitest";
import { trendCsv } from "../../../../../core/contract/desktop/trends/trend-csv.ts";
import type { MeasuredRadiograph } from "../../../../../core/cardiac/radiograph-measurement.ts";
import type { DesktopRequest } from "../../../../../core/contract/desktop.ts";
import type { Film } from "../../../../../core/contract/desktop/films.ts";
import { explicitLittleEndian } from "../../../../../main/dicom/transfer-syntaxes.ts";
import { recordMeasurements } from "../../../../../main/store/calls/measurements.ts";
import { ensureAccount } from "../../../../../main/store/people/accounts.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { useBenchOfFile } from "../../../../fixtures/use-bench.ts";
import { dataSet, partTen, text } from "../../../dicom/dicom-writer.ts";
import { phantomElements } from "../../../dicom/phantom-film.ts";
import { measuredAt } from "../../../store/sample-store.ts";

const bench = useBenchOfFile();
let pictures = 0;
let patients = 100;

function newPatient(facts: Partial<DesktopRequest<"patients.create">> = {}) {
  return bench.addPatient({ uuid: `P-${(patients += 1)}`, ...facts });
}

async function film(
  vhs: number,
  vlas: number | null,
  takenAt: string,
  patientId: string,
  repeatErrors: MeasuredRadiograph["repeatErrors"] = null,
) {
  return added(await anotherPicture(), { ...measuredAt(vhs, vlas), repeatErrors }, takenAt, patientId);
}

async function added(picture: Buffer, measurement: MeasuredRadiograph, takenAt: string, patientId: string) {
  const filmId = await bench.addMeasured("film.png", picture, measurement);
  await bench.call("films.edit", { filmId, takenAt });
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
  return filmId;
}

const anotherPicture = () => smallPicture((pictures += 1));

async function opened(name: string, bytes: Buffer): Promise<string> {
  return (await bench.openFilm(name, bytes)).id;
}

const isOf =
  (...patientIds: readonly string[]) =>
  ({ patient }: Film) =>
    patient !== null && patientIds.includes(patient.id);

it("lists the current reading of each film by date of exposure, without rejected ones", async () => {
  const { id } = await newPatient();
  const late = await film(10.9, 2.6, "2026-06-01T00:00:00Z", id);
  const early = await film(10.2, null, "2026-01-01T00:00:00Z", id);
  const wrong = await film(15, 2, "2026-03-01T00:00:00Z", id);
  await bench.decide(wrong, { verdict: "rejected" });
  const trend = await bench.call("trends.get", { patientId: id });
  expect(trend.points.map(({ at, filmId, vhs, vlas }) => [at, filmId, vhs, vlas])).toEqual([
    ["2026-01-01T00:00:00.000Z", early, 10.2, null],
    ["2026-06-01T00:00:00.000Z", late, 10.9, 2.6],
  ]);
  expect([trend.vhs, trend.vlas]).toEqual([null, null]);
  const packCells = "landmarks,1.2.0,,";
  expect(trendCsv(trend.points)).toBe(
    "date,vhs,vlas,confidence,source,signed_by,original_vhs,original_vlas,pack,pack_version,pack_released_by,pack_publisher\r\n" +
      `2026-01-01T00:00:00.000Z,10.2,,optimal,model,,,,${packCells}\r\n2026-06-01T00:00:00.000Z,10.9,2.6,optimal,model,,,,${packCells}\r\n`,
  );
});

it("derives the interval of each slope from its films' errors, and flags a rise with an interval above 0", async () => {
  const rateOf = async (vhsError: number) => {
    const { id } = await newPatient();
    for (const [visit, day] of ["2026-01-01", "2026-04-01", "2026-07-01"].entries())
      await film(10 + 0.3 * visit, 2, `${day}T12:00:00Z`, id, { vhs: vhsError, vlas: 0.1 });
    return (await bench.call("trends.get", { patientId: id })).vhs!;
  };
  const [sure, unsure] = [await rateOf(0.1), await rateOf(0.2)];
  for (const { perMonth } of [sure, unsure]) expect(perMonth).toBeCloseTo(0.1, 2);
  expect([sure.low > 0, sure.isFast, unsure.low > 0, unsure.isFast]).toEqual([true, true, false, false]);
});

it("states the errors of each film: the pack's, a reader's after a correction, the full ones for the API", async () => {
  const { id, uuid } = await newPatient();
  const intervals = { coverage: 0.8, vhs: { low: 9.5, high: 10.5 }, vlas: null };
  const measurement = { ...measuredAt(10), intervals, repeatErrors: { vhs: 0.2, vlas: 0.1 } };
  const filmId = await added(await anotherPicture(), measurement, "2026-01-01T00:00:00Z", id);
  const errors = async () => (await bench.call("trends.get", { patientId: id })).points.map((point) => point.errors);
  const full = { vhs: expect.closeTo(0.5 / 1.2816, 3) as number, vlas: null };
  const practice = { vhs: null, vlas: null };
  const [measured] = await errors();
  expect(measured).toEqual({ pack: '["landmarks","1.2.0"]', full, repeat: { vhs: 0.2, vlas: 0.1 }, practice });
  await bench.decide(filmId, { verdict: "corrected" });
  expect(await errors()).toEqual([
    { pack: null, full: { vhs: expect.closeTo(0.297, 3) as number, vlas: null }, repeat: null, practice },
  ]);
  await bench.call("films.remove", { filmIds: [filmId] });
  expect((await errors())[0]!.full.vhs).toBeCloseTo(0.297, 3);
  const accountId = (await ensureAccount(bench.context.db, { name: "Clinic", at: new Date() })).id;
  const call = { accountId, keyId: null, service: "cardiac" as const, at: new Date("2036-02-01T00:00:00Z") };
  const other = { ...measurement, provenance: { ...measurement.provenance, imageSha256: "f".repeat(64) } };
  await recordMeasurements(bench.context.db, { ...call, callId: "errors", uuid, measurements: [other] });
  expect((await errors())[1]).toEqual({ pack: null, full, repeat: null, practice });
});

it("flags films of one day with very different hearts until a user confirms or reassigns one", async () => {
  const { id } = await newPatient();
  const other = await newPatient({ name: "Bella" });
  const small = await film(8, 2, "2026-01-01T00:00:00Z", id);
  const large = await film(11.5, 2, "2026-01-01T01:00:00Z", id);
  await film(12, 2, "2026-06-01T00:00:00Z", id);
  const doubts = async () =>
    (await bench.call("films.list", {})).films
      .filter(isOf(id, other.id))
      .flatMap((each) =>
        each.otherAnimal ? [[each.id, each.otherAnimal.filmId, each.otherAnimal.trait, each.otherAnimal.there]] : [],
      );
  const both = [
    [large, small, "vhs", 8],
    [small, large, "vhs", 11.5],
  ];
  expect((await doubts()).sort()).toEqual(both.sort());
  await bench.call("films.assignPatient", { filmIds: [large], patientId: other.id });
  expect(await doubts()).toEqual([]);
  expect(bench.eventsOf("film.changed").at(-1)!.film).not.toHaveProperty("otherAnimal");
  expect(bench.eventsOf("film.changed").at(-1)!.film.id).toBe(small);
  await bench.call("films.assignPatient", { filmIds: [large], patientId: id });
  await bench.call("films.confirmSameAnimal", { filmId: small, otherId: large });
  expect(await doubts()).toEqual([]);
});

it("flags films of one day with different heart axes, even if only one is listed", async () => {
  const { id } = await newPatient();
  const upright = await film(10, 2, "2026-01-01T00:00:00Z", id);
  const measurement = measuredAt(10);
  const { heart_top, heart_bottom } = measurement.landmarks;
  const turned = { x: heart_top.x + heart_bottom.y - heart_top.y, y: heart_bottom.y };
  const tilted = { ...measurement, landmarks: { ...measurement.landmarks, heart_bottom: turned } };
  const filmId = await bench.addMeasured("tilted.png", await anotherPicture(), tilted);
  await bench.call("films.edit", { filmId, takenAt: "2026-01-01T01:00:00Z" });
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: id });
  const { films } = await bench.call("films.list", { search: "tilted.png" });
  expect(films.map(({ otherAnimal }) => otherAnimal)).toMatchObject([{ filmId: upright, trait: "direction" }]);
});

it("lists each film with its change since the previous visit, and whether that exceeds noise", async () => {
  const { id } = await newPatient();
  const other = await newPatient({ name: "Bella" });
  const first = await film(10, 2, "2026-01-01T00:00:00Z", id);
  const again = await film(10.5, 2, "2026-01-01T01:00:00Z", id);
  const later = await film(12, 2, "2026-06-01T00:00:00Z", id);
  await film(9, 2, "2026-03-01T00:00:00Z", other.id);
  const { films } = await bench.call("films.list", {});
  const known = films.filter(isOf(id, other.id)).flatMap((each) => (each.vhsChange ? [[each.id, each.vhsChange]] : []));
  const unknownErrors = { limit: null, isBeyondNoise: null, pairs: null };
  expect(known).toEqual([[later, { filmId: again, since: "2026-01-01T01:00:00.000Z", change: 1.5, ...unknownErrors }]]);
  for (const filmId of [again, later]) await bench.decide(filmId, { verdict: "corrected" });
  const change = async () => (await bench.call("films.get", { filmId: later })).film.vhsChange;
  expect(await change()).toMatchObject({ change: 0, limit: 0.9, isBeyondNoise: false });
  await bench.decide(again, { verdict: "rejected" });
  expect((await change())?.since).toBe("2026-01-01T00:00:00.000Z");
  await bench.call("films.remove", { filmIds: [first] });
  expect(await change()).toBeUndefined();
});

it("shows the author of a correction and the networks' value", async () => {
  const { id } = await newPatient();
  const filmId = await film(10.9, 2.6, "2026-06-01T00:00:00Z", id);
  await bench.accept(filmId);
  expect((await bench.call("trends.get", { patientId: id })).points).toMatchObject([
    { vhs: 10.9, who: "Dr Weber", original: null },
  ]);
  const corrected = await bench.decide(filmId, { verdict: "corrected" });
  const { points } = await bench.call("trends.get", { patientId: id });
  expect(points).toMatchObject([
    { vhs: corrected.reading.score!.vhs, source: "person", who: "Dr Weber", original: { vhs: 10.9, vlas: 2.6 } },
  ]);
  await bench.accept(filmId);
  expect((await bench.call("trends.get", { patientId: id })).points).toMatchObject([
    { vhs: corrected.reading.score!.vhs, who: "Dr Weber", original: { vhs: 10.9, vlas: 2.6 } },
  ]);
  expect(trendCsv((await bench.call("trends.get", { patientId: id })).points)).toMatch(
    /,person,Dr Weber,10\.9,2\.6,landmarks,1\.2\.0,,\r\n$/,
  );
});

it("states the tier of an accepted proposal, and none for points placed by a user", async () => {
  const { id: patientId } = await newPatient();
  const measurement = { ...measuredAt(10), resultCode: 3, tier: "review" } as const;
  const filmId = await added(await anotherPicture(), measurement, "2026-01-01T00:00:00Z", patientId);
  const tiers = async () => (await bench.call("trends.get", { patientId })).points.map(({ tier }) => tier);
  await bench.accept(filmId, "Dr. Muster");
  expect(await tiers()).toEqual(["review"]);
  expect(trendCsv((await bench.call("trends.get", { patientId })).points)).toContain(",review,person,Dr. Muster,");
  await bench.decide(filmId, { verdict: "corrected" });
  expect(await tiers()).toEqual([null]);
});

it("contains a film that was removed and added again once, with its readings", async () => {
  const { id } = await newPatient();
  const picture = await anotherPicture();
  const filmId = await added(picture, measuredAt(10.2, 2), "2026-01-01T00:00:00Z", id);
  await bench.accept(filmId);
  await bench.call("films.remove", { filmIds: [filmId] });
  await bench.addFile("again.png", picture);
  const { films } = await bench.call("films.list", { search: "again.png" });
  expect(films.map((film) => [film.id, film.fileName, film.state, film.patient?.id, film.takenAt])).toEqual([
    [filmId, "again.png", "done", id, "2026-01-01T00:00:00.000Z"],
  ]);
  expect((await bench.call("films.get", { filmId })).readings.map(({ verdict, who }) => [verdict, who])).toEqual([
    [null, null],
    ["accepted", "Dr Weber"],
  ]);
  expect((await bench.call("trends.get", { patientId: id })).points.map((point) => point.filmId)).toEqual([filmId]);
  const { events } = await bench.call("audit.list", {});
  expect(events.map(({ action }) => action).slice(0, 2)).toEqual(["film.returned", "film.removed"]);
});

it("contains a removed DICOM film once, with its readings, when it is added again in other bytes", async () => {
  const facts = { instance: "1.2.276.12.1", patientId: "P-276" };
  const [cd, pacs] = ["CD", "PACS"].map((source) =>
    partTen(explicitLittleEndian, dataSet(...phantomElements(facts)), [text("00020016", "AE", source)]),
  ) as [Buffer, Buffer];
  bench.engine.answers({ ...measuredAt(10.2, 2), widthPx: 96, heightPx: 80 });
  const filmId = await opened("cd.dcm", cd);
  const { film: first } = await bench.call("films.get", { filmId });
  await bench.accept(filmId);
  await bench.call("films.remove", { filmIds: [filmId] });
  expect(await opened("pacs.dcm", pacs)).toBe(filmId);
  const { film: again } = await bench.call("films.get", { filmId });
  expect([again.state, again.hasImage, again.reading?.verdict]).toEqual(["done", true, "accepted"]);
  expect(again.sha256).not.toBe(first.sha256);
  const pointsOf = async () => (await bench.call("trends.get", { patientId: first.patient!.id })).points;
  expect((await pointsOf()).map((point) => point.filmId)).toEqual([filmId]);
});

it("omits a film that was added again and assigned to another patient", async () => {
  const { id } = await newPatient();
  const other = await newPatient({ name: "Bella" });
  const again = [await anotherPicture(), measuredAt(10.2, 2), "2026-01-01T00:00:00Z"] as const;
  const filmId = await added(...again, id);
  await bench.call("films.remove", { filmIds: [filmId] });
  await added(...again, other.id);
  const shownOf = async (patientId: string) =>
    (await bench.call("trends.get", { patientId })).points.map((point) => point.filmId);
  expect([await shownOf(id), await shownOf(other.id)]).toEqual([[], [filmId]]);
});

it("includes API measurements with the same uuid, and films removed from the worklist", async () => {
  const { id, uuid } = await newPatient();
  const gone = await film(10.2, 2, "2026-01-01T00:00:00Z", id);
  await bench.call("films.remove", { filmIds: [gone] });
  const accountId = (await ensureAccount(bench.context.db, { name: "Clinic", at: new Date() })).id;
  const at = new Date("2026-02-01T00:00:00Z");
  const call = { accountId, keyId: null, service: "cardiac" as const, at, measurements: [measuredAt(10.4, 2.1)] };
  await recordMeasurements(bench.context.db, { ...call, callId: "1", uuid });
  // The same image is counted once.
  await recordMeasurements(bench.context.db, { ...call, callId: "3", uuid });
  await recordMeasurements(bench.context.db, { ...call, callId: "2", uuid: "another" });
  const { points } = await bench.call("trends.get", { patientId: id });
  expect(points.map(({ filmId, vhs, source }) => [filmId, vhs, source])).toEqual([
    [null, 10.2, "model"],
    [null, 10.4, "api"],
  ]);
});
