import { expect, it } from "vitest";
import type { DesktopRequest } from "../../../../core/contract/desktop.ts";
import { toFilms } from "../../../../main/services/worklist/film-view.ts";
import { engineOf, setEngine } from "../../../../main/store/engines/engine.ts";
import { saveDicomInstance } from "../../../../main/store/films/dicom/dicom-instances.ts";
import { listFilms } from "../../../../main/store/films/listed-films.ts";
import { importBytes } from "../../../../main/services/import/import-files.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";

const bench = useBench();

const names = async (query: DesktopRequest<"films.list"> = {}) =>
  (await bench.call("films.list", query)).films.map(({ fileName }) => fileName);

async function drop(atMs: number, ...places: readonly number[]) {
  const { context, parts } = bench.desktop;
  for (const place of places) {
    bench.engine.answers(measuredAt(10, 2));
    const file = { name: `film-${place}.png`, bytes: await smallPicture(place), origin: "file" } as const;
    await importBytes(context, { ...file, dropped: { atMs, place } }, false);
  }
  await parts.queue.whenIdle();
}

it("lists films in the order of their drop regardless of arrival, newest drop first", async () => {
  await drop(1_000, 2, 0, 1);
  await drop(2_000, 11, 10);
  expect(await names()).toEqual(["film-10.png", "film-11.png", "film-0.png", "film-1.png", "film-2.png"]);
});

it("filters by state, verdict, date and patient, and orders by date and patient", async () => {
  await drop(1_000, 0, 1, 2);
  const [first, second, third] = (await bench.call("films.list", {})).films;
  await bench.call("films.edit", { filmId: first!.id, takenAt: "2020-01-01T00:00:00.000Z" });
  await bench.call("films.edit", { filmId: second!.id, takenAt: "2021-01-01T00:00:00.000Z" });
  await bench.call("films.edit", { filmId: third!.id, takenAt: "2019-01-01T00:00:00.000Z" });
  const zoe = await bench.addPatient({ name: "Zoe" }, first!.id);
  await bench.addPatient({ name: "Ärno" }, second!.id);
  await bench.accept(third!.id);
  const [a, b, c] = ["film-0.png", "film-1.png", "film-2.png"];
  expect([
    await names({ order: "takenNewest" }),
    await names({ order: "takenOldest" }),
    await names({ order: "patient" }),
    await names({ standing: "undecided" }),
    await names({ standing: "decided" }),
    await names({ standing: "waiting" }),
    await names({ takenFrom: "2020-06-01T00:00:00.000Z" }),
    await names({ patientId: zoe.id }),
    await names({ grade: "reliable" }),
    await names({ grade: "check" }),
  ]).toEqual([[b, a, c], [c, a, b], [b, a, c], [a, b], [c], [], [b], [a], [a, b], []]);
});

it("filters by points that a user placed or accepted", async () => {
  await drop(1_000, 0, 1, 2);
  const [, second, third] = (await bench.call("films.list", {})).films;
  await bench.accept(third!.id);
  await bench.decide(second!.id, { verdict: "rejected" });
  const { rows } = await listFilms(bench.context.db, { search: "", standing: "annotated", limit: 10, offset: 0 });
  expect(rows.map(({ id }) => id)).toEqual([third!.id]);
});

it("uses as many queries for a page of films as for a single film, with equal results", async () => {
  await drop(1_000, 0, 1, 2);
  const { films } = await bench.call("films.list", {});
  for (const [place, { id }] of films.entries()) await bench.addPatient({ uuid: `R-${place}` }, id);
  const { db } = bench.context;
  let questions = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => (questions++, node),
    transformResult: ({ result }) => Promise.resolve(result),
  }) as typeof db;
  setEngine(counted, engineOf(db));
  const { rows } = await listFilms(db, { search: "", limit: 200, offset: 0 });
  await toFilms(counted, rows.slice(0, 1));
  const forOne = questions;
  const page = await toFilms(counted, rows);
  expect(questions).toBe(2 * forOne);
  const one = async (filmId: string) => (await bench.call("films.get", { filmId })).film;
  expect(page).toEqual(await Promise.all(films.map(({ id }) => one(id))));
  expect(page.map(({ patient }) => patient?.number)).toEqual(["R-0", "R-1", "R-2"]);
});

it("finds a film by its Patient ID, even with characters that PostgreSQL cannot store", async () => {
  await drop(1_000, 0, 1);
  const [film] = (await bench.call("films.list", {})).films;
  // PostgreSQL cannot store U+0000 in a text, but JSON may contain it.
  const facts = String.raw`{"patient":{"id":"K-\u0000815","name":"\\u0000 \u0000"}}`;
  const uids = { studyInstanceUid: "1.2", seriesInstanceUid: "1.2.1", sopInstanceUid: "1.2.1.1" };
  const { db } = bench.desktop.context;
  await saveDicomInstance(db, { filmId: film!.id, ...uids, facts, shape: "" });
  const { rows } = await listFilms(db, { search: "k-", limit: 10, offset: 0 });
  expect(rows.map(({ id }) => id)).toEqual([film!.id]);
});
