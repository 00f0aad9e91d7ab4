import { beforeEach, expect, it } from "vitest";
import type { DesktopChannel, DesktopRequest } from "../../../core/contract/desktop.ts";
import { verifyRecord } from "../../../main/store/record/record-verification.ts";
import { examplePayload } from "../../core/usg/example-payload.ts";
import { smallPicture } from "../../fixtures/desktop-bench.ts";
import { useBench } from "../../fixtures/use-bench.ts";
import { measured } from "../store/sample-store.ts";

/** Text truncated within an emoji, as a faulty page could send it. */
const cut = "rex \ud83d";
const bench = useBench();
beforeEach(() => {
  bench.engine.answers(measured);
});

const refused = <C extends DesktopChannel>(channel: C, request: DesktopRequest<C>) =>
  expect(bench.call(channel, request)).rejects.toMatchObject({ code: "INVALID_FIELD" });

it.each([
  ["cut inside an emoji", cut],
  ["with a control character", "rex\u0007"],
  ["of 201 characters", "x".repeat(201)],
])("rejects text %s as an identifier", async (_what, text) => {
  await refused("keys.create", { accountName: text, name: "" });
  await refused("settings.save", { clinicCode: text });
  await expect(bench.addPatient({ uuid: text })).rejects.toMatchObject({ code: "INVALID_FIELD" });
  await refused("usg.screen", { features: examplePayload, patientId: null, clinicCode: text });
});

it("keeps the record intact with such text in names, remarks and signatures", async () => {
  const film = await bench.openFilm("film.png", await smallPicture(1));
  await bench.addPatient({ name: cut, owner: cut, uuid: "P-1" }, film.id);
  const signed = { filmId: film.id, basedOn: film.reading!.readingId, verdict: "accepted", geometry: null } as const;
  await bench.call("readings.save", { ...signed, who: cut, remark: cut });
  await bench.call("people.add", { name: cut, role: "administrator", secret: "1234" });
  expect((await verifyRecord(bench.context.db, null)).fault).toBeNull();
  expect((await bench.call("films.get", { filmId: film.id })).readings.at(-1)).toMatchObject({ who: "rex \ufffd" });
});

it("makes one line of names with a tab, as between two copied cells, and signs with them", async () => {
  const film = await bench.openFilm("film.png", await smallPicture(1));
  await bench.call("settings.save", { userName: "Dr\tWeber", clinicName: "Sommer\t\nclinic" });
  const { userName: who, clinicName } = await bench.call("settings.get", {});
  expect([who, clinicName]).toEqual(["Dr Weber", "Sommer clinic"]);
  expect(await bench.addPatient({ name: "Rex\tII", owner: "\tSommer" })).toMatchObject({
    name: "Rex II",
    owner: "Sommer",
  });
  const signed = { filmId: film.id, basedOn: film.reading!.readingId, verdict: "accepted", geometry: null } as const;
  expect((await bench.call("readings.save", { ...signed, who: "Dr\tWeber" })).reading.who).toBe("Dr Weber");
});
