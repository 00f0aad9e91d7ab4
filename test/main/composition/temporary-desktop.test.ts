import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { addFilmToWorklist } from "../../../main/services/worklist/films.ts";
import { readFilmImage } from "../../../main/services/desktop/film-images.ts";
import { smallPicture } from "../../fixtures/desktop-bench.ts";
import { useBench } from "../../fixtures/use-bench.ts";
import { measured } from "../store/sample-store.ts";

const bench = useBench();
beforeEach(async () => {
  bench.engine.answers({ ...measured, widthPx: 121, heightPx: 90 });
  await addMeasured("practice.png", 1);
});

async function addMeasured(name: string, number: number): Promise<string> {
  const { context, queue } = bench.desktop.current();
  const { film } = await addFilmToWorklist(context, { name, bytes: await smallPicture(number), origin: "file" });
  await queue.whenIdle();
  return film.id;
}

async function setAway(isAway: boolean): Promise<void> {
  await bench.desktop.rememberSettings();
  await bench.desktop.setDatabaseAway(isAway);
}

const names = async () => (await bench.call("films.list", {})).films.map(({ fileName }) => fileName);

test("opens, measures and prints films while the database is unavailable, and drops them afterwards", async () => {
  await bench.call("settings.save", { clinicName: "Clinic", userName: "Dr Weber" });
  const before = readdirSync(bench.dataDir, { recursive: true }).length;
  await setAway(true);
  expect(await names()).toEqual([]);
  const filmId = await addMeasured("outage.png", 2);
  const { film } = await bench.call("films.get", { filmId });
  expect([film.state, film.reading?.source]).toEqual(["done", "model"]);
  expect(await bench.call("settings.get", {})).toMatchObject({ clinicName: "Clinic", userName: "Dr Weber" });
  const { context } = bench.desktop.current();
  expect(await readFilmImage(context, film.sha256, "original")).toEqual(await smallPicture(2));
  expect(readdirSync(bench.dataDir, { recursive: true }).length).toBe(before);
  const { download } = await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "en" });
  expect(download.fileName).toBe("outage.pdf");

  await bench.desktop.setDatabaseAway(false);
  expect(await names()).toEqual(["practice.png"]);
  await bench.desktop.setDatabaseAway(true);
  expect(await names()).toEqual([]);
});

test("refuses to save a reading, a patient or a setting while the database is unavailable", async () => {
  await setAway(true);
  const filmId = await addMeasured("outage.png", 2);
  const refused = { code: "STORE_UNAVAILABLE" };
  const reading = { filmId, basedOn: null, verdict: "accepted", who: "Dr Weber", remark: "", geometry: null } as const;
  await expect(bench.call("readings.save", reading)).rejects.toMatchObject(refused);
  await expect(bench.addPatient()).rejects.toMatchObject(refused);
  await expect(bench.call("settings.save", { clinicName: "Other" })).rejects.toMatchObject(refused);
});

test("publishes no events of dropped services", async () => {
  await setAway(true);
  const { context } = bench.desktop.current();
  await setAway(false);
  const heard = bench.events.length;
  context.raise({ name: "folders.changed", payload: {} });
  expect(bench.events.length).toBe(heard);
});

test("lets users sign in while the database is unavailable, and keeps them signed in afterwards", async () => {
  await bench.call("people.add", { name: "Dr. One", role: "administrator", secret: "1234" });
  const { people } = await bench.call("people.list", {});
  const { id: personId } = people[0]!;
  await bench.call("people.turnOn", { personId, secret: "1234" });
  await bench.call("session.lock", {});
  await setAway(true);
  await expect(bench.call("films.list", {})).rejects.toMatchObject({ code: "LOCKED" });
  await expect(bench.call("session.signIn", { personId, secret: "9999" })).rejects.toMatchObject({
    code: "WRONG_SECRET",
  });
  await bench.call("session.signIn", { personId, secret: "1234" });
  expect(await names()).toEqual([]);
  await setAway(false);
  expect(await names()).toEqual(["practice.png"]);
});
