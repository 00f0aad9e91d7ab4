import { randomUUID } from "node:crypto";
import { agreementCsv } from "../../../../../core/contract/desktop/trends/agreement-csv.ts";
import { expect, it } from "vitest";
import { AppError } from "../../../../../core/app-error.ts";
import { addFilm, getFilm } from "../../../../../main/store/films/films.ts";
import { transaction } from "../../../../../main/store/engines/engine.ts";
import {
  appendReading,
  getLatestReading,
  listReadings,
  type ReadingRow,
} from "../../../../../main/store/films/readings.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../../fixtures/use-bench.ts";
import { measured, measuredAt } from "../../../store/sample-store.ts";

const bench = useBench();

async function film(number: number, vhs: number, more: Partial<typeof measured> = {}) {
  const measurement = { ...measuredAt(vhs), ...more };
  const filmId = await bench.addMeasured(`film-${number}.png`, await smallPicture(number), measurement);
  return (await bench.call("films.get", { filmId })).film;
}

/** Adds a film with changed copies of another film's readings. */
async function addCopy(
  templateId: string,
  film: { readonly takenAtMs: number },
  change: (reading: ReadingRow) => Partial<ReadingRow>,
): Promise<void> {
  const { db } = bench.context;
  const { patientId } = await getFilm(db, templateId);
  const [id, sha256] = [randomUUID(), randomUUID().replaceAll("-", "").repeat(2)];
  const frame = { widthPx: 100, heightPx: 100, frameIndex: 0, place: 0 };
  const said = { id, patientId, sha256, fileName: "film.png", origin: "file", state: "done", addedAtMs: 0 } as const;
  await addFilm(db, { ...said, ...frame, ...film });
  for (const reading of await listReadings(db, templateId))
    await appendReading(db, { ...reading, id: randomUUID(), filmId: id, ...change(reading) });
}

it("pairs a patient's films of one day whose proposals were accepted, and states their deviation", async () => {
  const { id } = await bench.addPatient();
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
  const measuredFilms = [await film(1, 10), await film(2, 10.4), await film(3, 11)];
  for (const [index, { id: filmId }] of measuredFilms.entries()) {
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId: id });
    await bench.call("films.edit", { filmId, takenAt: at(index) });
    if (index < 2) await bench.accept(filmId);
  }
  const [one, other, placed] = measuredFilms;
  await bench.decide(placed!.id, { verdict: "corrected" });
  await bench.accept(placed!.id, "Dr. Weber");
  expect(await bench.call("agreement.sameDay", { measure: "vhs" })).toEqual({
    pairs: [
      [
        { filmId: one!.id, at: at(0), value: 10 },
        { filmId: other!.id, at: at(1), value: 10.4 },
      ],
    ],
    deviation: expect.closeTo(0.4 / Math.SQRT2, 12) as number,
    expected: null,
  });
});

it("replaces the pack's errors between films by those of 30 same-day pairs, and states their number", async () => {
  const repeatErrors = { vhs: 0.2, vlas: 0.1 };
  const { id } = await bench.addPatient();
  const films = [await film(1, 10, { repeatErrors }), await film(2, 10.9, { repeatErrors })];
  for (const [index, { id: filmId }] of films.entries()) {
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId: id });
    await bench.call("films.edit", { filmId, takenAt: new Date(Date.UTC(2026, index, 1)).toISOString() });
    await bench.accept(filmId);
  }
  const [template, later] = films.map((each) => each.id) as [string, string];
  const vhsChange = async () => (await bench.call("films.get", { filmId: later })).film.vhsChange;
  await transaction(bench.context.db, async () => {
    for (let pair = 1; pair < 30; pair += 1) await addPair(template, pair);
  });
  expect(await vhsChange()).toMatchObject({ change: 0.9, limit: 0.6, pairs: null });
  await addPair(template, 30);
  expect(await vhsChange()).toMatchObject({ change: 0.9, limit: 0.8, isBeyondNoise: true, pairs: 30 });
  const practice = await bench.call("agreement.practiceErrors", {});
  const deviation = expect.closeTo(0.4 / Math.SQRT2, 9) as number;
  expect(practice).toEqual({ vhs: { deviation, pairs: 30 }, vlas: null });
  const { points } = await bench.call("trends.get", { patientId: id });
  expect(points.slice(-2).map(({ errors }) => errors.practice)).toEqual([practice, practice]);
});

/** Adds two accepted films of one day with VHS 0.4 v apart and without VLAS, for the patient of another film. */
async function addPair(templateId: string, number: number): Promise<void> {
  for (const vhs of [10, 10.4])
    await addCopy(templateId, { takenAtMs: Date.UTC(2000, 0, 2 * number) }, ({ values }) => ({
      values: { ...values, vhs, vlas: null },
    }));
}

it("pairs proposals with users' readings, without rejected and undecided films", async () => {
  const withRlad = { score: { ...measuredAt(10).score, rlad: 1.9 } };
  const [accepted, rejected, corrected] = [await film(1, 10, withRlad), await film(2, 11), await film(3, 12)];
  await film(4, 9);
  await bench.accept(accepted.id);
  await bench.decide(rejected.id, { verdict: "rejected" });
  const { reading } = await bench.decide(corrected.id, { verdict: "corrected" });
  const { pairs, packs, total } = await bench.call("agreement.get", { measure: "vhs" });
  expect(pairs.map(({ filmId, network, person, decision }) => ({ filmId, network, person, decision }))).toEqual([
    { filmId: accepted.id, network: 10, person: 10, decision: "accepted" },
    { filmId: corrected.id, network: 12, person: reading.score!.vhs, decision: "corrected" },
  ]);
  expect(total).toBe(2);
  expect(packs.map(({ version }) => version)).toEqual([measured.provenance.packVersion]);

  expect((await bench.call("agreement.get", { measure: "rlad" })).pairs).toMatchObject([
    { filmId: accepted.id, network: 1.9, person: 1.9 },
  ]);

  const count = async (filter: object) =>
    (await bench.call("agreement.get", { measure: "vhs", ...filter })).pairs.length;
  expect([
    await count({ pack: packs[0]! }),
    await count({ pack: { ...packs[0]!, version: "1999.1.1" } }),
    await count({ species: "dog" }),
    await count({ tier: measured.tier }),
  ]).toEqual([2, 0, 0, 2]);

  const lines = agreementCsv("vhs", pairs).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(",vhs,10,10,0,10,accepted,");
});

it("counts a reading made blind or before the first measurement as independent", async () => {
  const byHand = async (filmId: string, basedOn: string | null, isBlind: boolean) => {
    const [proposal] = (await bench.call("films.get", { filmId: template.id })).readings;
    const { film: placedOn } = await bench.call("films.get", { filmId });
    const geometry = { ...placedOn.picture, heart: proposal!.heart!, edges: proposal!.edges };
    const said = { who: "Dr. Roth", filmId, basedOn, verdict: "by_hand", isBlind, geometry } as const;
    return (await bench.call("readings.save", said)).reading;
  };
  const template = await film(0, 10);
  const [blind, seen] = [await film(1, 11), await film(2, 12)];
  const own = await byHand(blind.id, blind.reading!.readingId, true);
  await bench.accept(blind.id);
  await byHand(seen.id, seen.reading!.readingId, false);
  bench.engine.answers(new AppError("INTERNAL", "the networks failed"));
  const before = await bench.openFilm("film-3.png", await smallPicture(3));
  const { id: readingId } = (await bench.decide(before.id, { verdict: "rejected" })).reading;
  const takenBack = (await bench.call("readings.undo", { filmId: before.id, readingId })).reading;
  await byHand(before.id, takenBack.id, false);
  bench.engine.answers(measuredAt(9));
  await bench.call("films.retry", { filmIds: [before.id] });
  await bench.desktop.parts.queue.whenIdle();
  const { pairs } = await bench.call("agreement.get", { measure: "vhs" });
  const found = pairs.map(({ filmId, network, decision }) => [filmId, network, decision]);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      [blind.id, 11, "independent"],
      [seen.id, 12, "by_hand"],
      [before.id, 9, "independent"],
    ]),
  );
  expect(pairs.find(({ filmId }) => filmId === blind.id)?.person).toBe(own.score!.vhs);
});

it("filters by reader, and lists every reader", async () => {
  const template = await film(0, 10);
  const [proposal] = (await bench.call("films.get", { filmId: template.id })).readings;
  const read = async (number: number, who: string) => {
    const { id: filmId, reading, picture } = await film(number, 10 + number);
    const geometry = { ...picture, heart: proposal!.heart!, edges: proposal!.edges };
    const said = { filmId, basedOn: reading!.readingId, verdict: "by_hand", isBlind: true, geometry } as const;
    await bench.call("readings.save", { ...said, who });
    return filmId;
  };
  const [first, second, third] = [await read(1, "Dr. Roth"), await read(2, "Dr. Alt"), await read(3, "Dr. Roth")];
  const ask = async (reader?: string) => {
    const { pairs, readers, total } = await bench.call("agreement.get", { measure: "vhs", ...(reader && { reader }) });
    return [pairs.map(({ filmId }) => filmId), readers, total];
  };
  const readers = ["Dr. Alt", "Dr. Roth"];
  expect(await ask("Dr. Roth")).toEqual([[first, third], readers, 3]);
  expect(await ask("Dr. Alt")).toEqual([[second], readers, 3]);
  expect(await ask()).toEqual([[first, second, third], readers, 3]);
});

it("distinguishes packs of the same version by name", async () => {
  for (const [index, packName] of ["elsewhere", measured.provenance.packName].entries()) {
    const { id: filmId } = await film(index, 10 + index, { provenance: { ...measured.provenance, packName } });
    await bench.accept(filmId);
  }
  const version = measured.provenance.packVersion;
  const { packs } = await bench.call("agreement.get", { measure: "vhs" });
  expect(packs).toEqual([
    { name: measured.provenance.packName, version },
    { name: "elsewhere", version },
  ]);
  const filter = { measure: "vhs", pack: { name: "elsewhere", version } } as const;
  expect((await bench.call("agreement.get", filter)).pairs.map(({ network }) => network)).toEqual([10]);
});

it("counts a correction that a colleague accepts as corrected, and omits readings before the period", async () => {
  const one = await film(1, 10);
  await bench.decide(one.id, { verdict: "corrected" });
  await bench.accept(one.id, "Dr. Roth");
  const ask = async (days?: number) =>
    (await bench.call("agreement.get", { measure: "vhs", ...(days && { days }) })).pairs.map(
      ({ decision }) => decision,
    );
  expect(await ask(30)).toEqual(["corrected"]);
  bench.setNow(new Date("2030-01-01T00:00:00Z"));
  expect([await ask(30), await ask()]).toEqual([[], ["corrected"]]);
});

it("reports a drift while the newest 30 independent readings deviate", async () => {
  const { id: templateId, picture } = await film(0, 10);
  const [proposal] = (await bench.call("films.get", { filmId: templateId })).readings;
  const geometry = { ...picture, heart: proposal!.heart!, edges: proposal!.edges };
  const byHand = { who: "Dr. Roth", basedOn: proposal!.id, verdict: "by_hand", isBlind: true, geometry } as const;
  const { reading: placed } = await bench.call("readings.save", { ...byHand, filmId: templateId });
  // Every reader places the same points, which gives the same value.
  const person = placed.score!.vhs!;
  const place = async (network: number, seen?: Partial<ReadingRow>) => {
    const at = { atMs: bench.context.now().getTime() };
    await addCopy(templateId, { takenAtMs: 0 }, ({ source, values }) =>
      source === "model" ? { ...at, values: { ...values, vhs: network } } : { ...at, ...seen },
    );
  };
  const placeMany = (count: number, ...what: Parameters<typeof place>) =>
    transaction(bench.context.db, async () => {
      for (let number = 0; number < count; number += 1) await place(...what);
    });
  const drift = async () =>
    (await bench.call("agreement.drift", {})).drifts.find(({ measure }) => measure === "vhs") ?? null;
  const stored = (await getLatestReading(bench.context.db, templateId))!;
  const { isBlind, ...notBlind } = JSON.parse(stored.detail) as { readonly isBlind: boolean };
  expect(isBlind).toBe(true);
  await placeMany(28, person + 0.3);
  // Neither points placed after seeing the networks' result nor accepted proposals count.
  await place(person + 0.3, { detail: JSON.stringify(notBlind) });
  expect(await drift()).toBeNull();
  await place(person + 0.3);
  await placeMany(9, 10, { verdict: "accepted" });
  expect(await drift()).toEqual({ measure: "vhs", count: 30, bias: expect.closeTo((10 - person + 29 * 0.3) / 30, 9) });
  await place(person + 0.3);
  expect(await drift()).toEqual({ measure: "vhs", count: 30, bias: expect.closeTo(0.3, 9) });
  await placeMany(6, person);
  expect(await drift()).toBeNull();
});

/** Characters that JSON can escape but PostgreSQL cannot store as text. */
const unreadable = "lund\0marks\ud83d";

it("counts readings of a pack whose name PostgreSQL cannot store, also if an earlier version stored it", async () => {
  const { id: filmId } = await film(1, 10, { provenance: { ...measured.provenance, packName: unreadable } });
  await bench.accept(filmId);
  const { total, packs } = await bench.call("agreement.get", { measure: "vhs" });
  expect([total, packs.map(({ name }) => name)]).toEqual([1, ["lundmarks\ufffd"]]);

  const { id: earlierId } = await film(2, 10);
  const { id: patientId } = await bench.addPatient({}, earlierId);
  const { db } = bench.context;
  const kept = await getLatestReading(db, earlierId);
  const detail = JSON.stringify({
    ...(JSON.parse(kept!.detail) as object),
    provenance: { ...measured.provenance, packName: unreadable, packVersion: "C:\\u0000" },
  });
  await appendReading(db, { ...kept!, id: randomUUID(), detail });
  await bench.accept(earlierId);
  const both = await bench.call("agreement.get", { measure: "vhs" });
  expect([both.total, both.packs.map(({ version }) => version)]).toEqual([
    2,
    ["C:\\u0000", measured.provenance.packVersion],
  ]);
  expect((await bench.call("trends.get", { patientId })).points).toHaveLength(1);
});
