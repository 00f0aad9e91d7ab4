import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:net";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "../../../core/durations.ts";
import { parseHl7, valueOf } from "../../../core/hl7/hl7-message.ts";
import { engineOf } from "../../../main/store/engines/engine.ts";
import { takeOrder } from "../../../main/services/worklist/orders/take-order.ts";
import { saveWatchedOutcome } from "../../../main/store/films/watched-files.ts";
import { getSetting, publishersSetting, saveSetting } from "../../../main/store/settings.ts";
import { stoppedAfterMs, recordMachineActive } from "../../../main/store/machines/machines.ts";
import { openBench, smallPicture, type DesktopBench } from "../../fixtures/desktop-bench.ts";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../fixtures/postgres/temporary-database.ts";
import { measured } from "../store/sample-store.ts";
import { waitFor } from "../../fixtures/patience.ts";

describe.runIf(hasPostgres)("two programs on one database", () => {
  let database: TemporaryDatabase;
  let reception: DesktopBench;
  let surgery: DesktopBench;
  let pictures = 0;
  const open = async () => {
    database = await temporaryDatabase();
    reception = await openBench({ shared: { url: database.url, name: "Reception" } });
    surgery = await openBench({ shared: { url: database.url, name: "Surgery" } });
    for (const bench of [reception, surgery]) bench.engine.answers({ ...measured, widthPx: 120, heightPx: 90 });
  };
  const close = async () => {
    await surgery.remove();
    await reception.remove();
    await database.remove();
  };
  const measuredAt = async (bench: DesktopBench) => {
    const fileName = `bella-${(pictures += 1)}.png`;
    await bench.addFile(fileName, await smallPicture(pictures));
    await bench.desktop.parts.queue.whenIdle();
    return await waitFor(async () => {
      const [film] = (await bench.call("films.list", { search: fileName })).films;
      expect(film?.reading).toBeTruthy();
      return film!;
    });
  };
  /** Backdates a workstation's heartbeat, as if its program had been killed. */
  const lose = async ({ context: { db } }: DesktopBench) => {
    const machine = db.updateTable("machines").where("id", "=", engineOf(db).machineId!);
    await machine.set(({ eb }) => ({ seenAtMs: eb("seenAtMs", "-", stoppedAfterMs + 1) })).execute();
  };
  const save = (bench: DesktopBench, filmId: string, basedOn: string, who: string) =>
    bench.call("readings.save", { filmId, basedOn, verdict: "accepted", who, geometry: null });

  describe("that are shared by the tests", () => {
    beforeAll(open);
    afterAll(close);

    test("share revoked keys", async () => {
      const { keyId } = await reception.call("keys.create", { accountName: "Clinic", name: "PIMS" });
      await reception.call("keys.revoke", { keyId });
      await waitFor(() => expect(surgery.eventsOf("keys.revoked")).toContainEqual({ keyId }));
    });

    test("exchange events about films, readings, patients, settings, ranges and annotations", async () => {
      const film = await measuredAt(reception);
      await waitFor(() => {
        const last = surgery.eventsOf("film.changed").at(-1);
        expect(last?.film).toMatchObject({ id: film.id, state: "done", reading: { version: 1 } });
      });

      const changes = () => reception.eventsOf("patients.changed").length;
      const before = changes();
      const { id: patientId } = await surgery.addPatient({ name: "Bella", owner: "Sommer" });
      await waitFor(() => expect(changes()).toBe(before + 1));
      await surgery.call("films.assignPatient", { filmIds: [film.id], patientId });
      await waitFor(() => {
        const ofFilm = reception.eventsOf("film.changed").filter((event) => event.film.id === film.id);
        expect(ofFilm.at(-1)?.film.patient?.name).toBe("Bella");
      });

      await reception.call("settings.save", { clinicName: "Praxis am See", theme: "light" });
      await waitFor(() => {
        const { settings } = surgery.eventsOf("settings.changed").at(-1)!;
        // The theme is stored per workstation.
        expect(settings).toMatchObject({ clinicName: "Praxis am See", theme: "dark" });
      });

      const range = { species: "dog", breed: "", measure: "vhs", low: 9, high: 10, source: "own" } as const;
      await reception.call("ranges.save", { id: null, range });
      await waitFor(() => expect(surgery.eventsOf("ranges.changed").at(-1)?.ranges).toHaveLength(1));

      await surgery.call("annotations.save", {
        filmId: film.id,
        basedOn: 0,
        set: { frame: { widthPx: 120 + pictures, heightPx: 90 }, corners: null, calibration: null, annotations: [] },
      });
      await waitFor(() =>
        expect(reception.eventsOf("annotations.changed")).toContainEqual({ filmId: film.id, version: 1 }),
      );

      await reception.call("films.remove", { filmIds: [film.id] });
      await waitFor(() => expect(surgery.eventsOf("film.removed")).toContainEqual({ filmIds: [film.id] }));
      const features = { BUN: 28, CREATININE: 1.6, HGB: 12.5, "ABSOLUTE LYMPHOCYTES": 2500, age_months: 120 };
      await reception.call("usg.screen", { features, patientId: null });
      await waitFor(() => expect(surgery.eventsOf("screenings.changed")).toEqual([{}]));
    });

    test("send ids only in their messages, never the name of a patient", async () => {
      const overheard: string[] = [];
      const listener = new Client({ connectionString: database.url });
      await listener.connect();
      listener.on("notification", ({ payload = "" }) => overheard.push(payload));
      await listener.query("LISTEN corvet");
      const { id: patientId } = await surgery.addPatient({ name: "Bella", breed: "Boxer", owner: "Sommer" });
      const film = await measuredAt(reception);
      await reception.call("films.assignPatient", { filmIds: [film.id], patientId });
      await waitFor(() => expect(overheard.some((text) => text.includes(film.id))).toBe(true));
      expect(overheard.join()).toContain("patients.changed");
      expect(overheard.join()).not.toMatch(/Bella|Boxer|Sommer|bella-/);
      await listener.end();
    });

    test("list films open on the other workstation until they are closed or its program has stopped", async () => {
      const film = await measuredAt(reception);
      await reception.call("settings.save", { userName: "Dr. Vet" });
      await reception.call("films.sayOpen", { filmId: film.id });
      await waitFor(() => expect(surgery.eventsOf("openFilms.changed")).not.toEqual([]));
      const elsewhere = async (bench: DesktopBench) => (await bench.call("films.openElsewhere", {})).films;
      const open = { filmId: film.id, who: "Dr. Vet", machine: "Reception" };
      expect(await elsewhere(surgery)).toMatchObject([open]);
      expect(await elsewhere(reception)).toEqual([]);

      await lose(reception);
      expect(await elsewhere(surgery)).toEqual([]);
      await recordMachineActive(reception.context.db, { name: "Reception", programVersion: "0.1.0" });
      expect(await elsewhere(surgery)).toMatchObject([open]);

      const before = surgery.eventsOf("openFilms.changed").length;
      await reception.call("films.sayOpen", { filmId: null });
      await waitFor(() => expect(surgery.eventsOf("openFilms.changed").length).toBeGreaterThan(before));
      expect(await elsewhere(surgery)).toEqual([]);
    });

    test("save the first of two concurrent decisions about a reading, and refuse the second", async () => {
      const film = await measuredAt(reception);
      const basedOn = film.reading!.readingId;
      const answers = await Promise.allSettled([
        save(reception, film.id, basedOn, "Dr. One"),
        save(surgery, film.id, basedOn, "Dr. Two"),
      ]);
      const refused = answers.filter((answer) => answer.status === "rejected");
      expect(refused.map(({ reason }) => reason as unknown)).toMatchObject([{ code: "CONFLICT" }]);
      const { readings } = await surgery.call("films.get", { filmId: film.id });
      expect(readings.map(({ version, source }) => [version, source])).toEqual([
        [1, "model"],
        [2, "person"],
      ]);
    });

    test("delete orders of an erased patient on all workstations", async () => {
      const facts = { species: "dog", breed: "", sex: null, isNeutered: null, birthDate: null } as const;
      const patient = {
        number: "P-77",
        issuer: null,
        fullName: "Sommer^Bella",
        name: "Bella",
        owner: "Sommer",
        ...facts,
      };
      const steps = { procedureId: null, procedure: null, stepId: null, step: null, station: null, modality: null };
      const day = { day: "2026-11-21", time: null, referrer: null };
      const order = { studyInstanceUid: "1.2.3", accessionNumber: "A1", ...steps, ...day, patient };
      await takeOrder(reception.desktop.context, order);
      const [bella] = (await surgery.call("patients.list", {})).patients;
      await surgery.call("patients.erase", { patientId: bella!.id, why: "the owner asked for it" });
      const settings = await surgery.context.db.selectFrom("settings").select("value").execute();
      expect(settings.filter(({ value }) => value.includes("Bella"))).toEqual([]);
    });
  });

  describe("that are started for each test", () => {
    beforeEach(open);
    afterEach(close);

    test("apply the practice's publishers, also after a missed event", async () => {
      const key = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
      const read = [reception, surgery].map(({ engine, context: { db } }) => {
        const names: (readonly string[])[] = [];
        engine.reload = async () => void names.push((await getSetting(db, publishersSetting)).map(({ name }) => name));
        return names;
      });
      // The missed events do not concern publishers, so no packs are reloaded.
      for (const bench of [reception, surgery]) bench.desktop.context.raise({ name: "events.missed", payload: {} });
      await reception.call("publishers.add", { name: "Example Ltd", key });
      const { publishers } = await reception.call("publishers.list", {});
      await waitFor(() => expect(surgery.eventsOf("packs.changed")).toHaveLength(1));
      await surgery.call("publishers.remove", { fingerprint: publishers[0]!.fingerprint });
      await waitFor(() => expect(reception.eventsOf("packs.changed")).toHaveLength(2));
      expect(read).toEqual([
        [["Example Ltd"], []],
        [["Example Ltd"], []],
      ]);
      await saveSetting(reception.context.db, publishersSetting, [{ name: "Missed", publicKey: key, addedAt: "" }]);
      for (const bench of [reception, surgery]) bench.desktop.context.raise({ name: "events.missed", payload: {} });
      await waitFor(() => expect(read.map((names) => names.slice(2))).toEqual([[["Missed"]], [["Missed"]]]));
    });

    test("send each result to the practice software once, also that of a lost workstation", async () => {
      const told: string[] = [];
      const server = acknowledging((id) => told.push(id));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      const receiver = { isOn: true, host: "127.0.0.1", port, application: "P", facility: "C" };
      const lookAtBoth = () => Promise.all([reception, surgery].map((bench) => bench.desktop.parts.mllp.look()));
      try {
        await reception.call("hl7.save", { ...receiver, results: "decided", tls: null });
        const film = await measuredAt(reception);
        await save(surgery, film.id, film.reading!.readingId, "Dr. Two");
        await waitFor(async () => {
          await lookAtBoth();
          expect(told).toHaveLength(1);
          expect((await reception.call("hl7.get", {})).waiting).toBe(0);
        });
        await lookAtBoth();
        expect(told).toHaveLength(1);

        await reception.desktop.parts.mllp.close();
        const { readings } = await reception.call("films.get", { filmId: film.id });
        await save(reception, film.id, readings.at(-1)!.id, "Dr. One");
        await waitFor(async () => expect((await surgery.call("hl7.get", {})).waiting).toBe(1));
        await surgery.desktop.parts.mllp.look();
        expect(told).toHaveLength(1);
        await lose(reception);
        await surgery.desktop.parts.mllp.look();
        expect(told).toHaveLength(2);
        expect((await surgery.call("hl7.get", {})).waiting).toBe(0);
      } finally {
        server.close();
      }
    });

    test("end sessions whose secret was changed on another workstation", async () => {
      await reception.call("people.add", { name: "Dr. One", role: "administrator", secret: "1234" });
      const { people } = await reception.call("people.list", {});
      const { id: personId } = people[0]!;
      await reception.call("people.turnOn", { personId, secret: "1234" });
      await surgery.call("session.signIn", { personId, secret: "1234" });
      expect((await surgery.call("session.get", {})).me?.name).toBe("Dr. One");
      await reception.call("people.setOwnSecret", { oldSecret: "1234", secret: "another" });
      await waitFor(() => expect(surgery.eventsOf("session.changed").length).toBeGreaterThan(0));
      expect((await surgery.call("session.get", {})).me).toBeNull();
      expect((await reception.call("session.get", {})).me?.name).toBe("Dr. One");
    });

    test("write a result to the outbox of the importing workstation, also after a correction elsewhere", async () => {
      const outbox = mkdtempSync(path.join(tmpdir(), "corvet-outbox-"));
      try {
        const film = await measuredAt(reception);
        const file = { path: "/films/bella.png", sizeBytes: 1, changedAtMs: 1 };
        await saveWatchedOutcome(reception.context.db, file, { outcome: "opened", filmIds: [film.id], atMs: 1 });
        await reception.call("folders.save", { folders: [], outbox, formats: ["json"], allFilmsSince: null });
        await waitFor(() => expect(readdirSync(outbox)).toHaveLength(1));
        const [name] = readdirSync(outbox);
        const written = () => readFile(path.join(outbox, name!), "utf8");
        expect(await written()).toContain('"version": 1');
        await save(surgery, film.id, film.reading!.readingId, "Dr. Two");
        await waitFor(async () => expect(await written()).toContain('"version": 2'));
      } finally {
        rmSync(outbox, { recursive: true, force: true });
      }
    });

    test("keep the images of films whose results another workstation has not written yet", async () => {
      const film = await measuredAt(reception);
      const file = { path: "/films/bella.png", sizeBytes: 1, changedAtMs: 1 };
      await saveWatchedOutcome(reception.context.db, file, { outcome: "opened", filmIds: [film.id], atMs: 1 });
      expect(await surgery.desktop.parts.folders.listUnwritten()).toEqual([]);
      const gone = path.join(tmpdir(), "corvet-outbox-that-is-not-there");
      await reception.call("folders.save", { folders: [], outbox: gone, formats: ["pdf"], allFilmsSince: null });
      expect(await surgery.desktop.parts.folders.listUnwritten()).toEqual([film.id]);
      // The other workstation may be gone permanently; its own pending results protect their images without a limit.
      for (const bench of [reception, surgery]) bench.setNow(new Date(bench.context.now().getTime() + 31 * dayMs));
      expect(await surgery.desktop.parts.folders.listUnwritten()).toEqual([]);
      expect(await reception.desktop.parts.folders.listUnwritten()).toEqual([film.id]);
    });

    test("refetch everything after lost connections, and receive events again", async () => {
      const administrator = new Client({ connectionString: database.url });
      await administrator.connect();
      await administrator.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      await administrator.end();
      await waitFor(() => {
        for (const bench of [reception, surgery]) expect(bench.eventsOf("events.missed")).toHaveLength(1);
      });
      await reception.addFile("max.png", await smallPicture(2));
      await waitFor(() => expect(surgery.eventsOf("film.changed").at(-1)?.film.fileName).toBe("max.png"));
    });
  });
});

function acknowledging(onTaken: (controlId: string) => void): Server {
  return createServer((socket) => {
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (!text.endsWith("\u001c\r")) return;
      const id = valueOf(parseHl7(text.slice(1, -2))[0]!, "MSH", 10);
      onTaken(id);
      socket.write(`\u000bMSH|^~\\&|P|C|CORVET||20261122||ACK^R01^ACK|1|P|2.5.1\rMSA|AA|${id}|\r\u001c\r`);
    });
  });
}
