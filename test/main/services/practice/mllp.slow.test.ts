// Runs once: its queries are tested elsewhere.
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { parseHl7, valueOf } from "../../../../core/hl7/hl7-message.ts";
import { makeOwnCertificate } from "../../../../main/dicom/network/certificates/make-certificate.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { createMllpSender, type MllpSender } from "../../../../main/services/practice/mllp/mllp-sender.ts";
import { samplesDir } from "../../../../main/program.ts";
import { applyImageRetention } from "../../../../main/services/worklist/image-retention.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const bench = useBench();
let sender: MllpSender;
let port: number;
const servers: Server[] = [];
const sockets = new Set<Socket>();
const told: string[] = [];

const times = { connectMs: 20_000, answerMs: 20_000, everyMs: 3_600_000 };
const destination = () => ({
  ...{ isOn: true, host: "127.0.0.1", port, application: "PRACTICE", facility: "CLINIC" },
  ...{ results: "decided" as const, tls: null },
});

beforeEach(async () => {
  told.length = 0;
  port = await freePort();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  // The bench's own sender polls on a timer; this one only when called.
  await bench.desktop.parts.mllp.close();
  sender = createMllpSender(bench.desktop.context, times);
});
afterEach(async () => {
  await sender.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const frame = (text: string) => `\u000b${text}\u001c\r`;
const idOf = (message: string) => valueOf(parseHl7(message)[0]!, "MSH", 10);
const ack = (message: string, code = "AA", why = "") =>
  frame(`MSH|^~\\&|PRACTICE|CLINIC|CORVET||20261122||ACK^R01^ACK|1|P|2.5.1\rMSA|${code}|${idOf(message)}|${why}\r`);

/** Starts a receiver with scripted responses; null disconnects, "" sends no response. */
function receive(answer: (message: string) => string | null, server = createServer()): Promise<void> {
  servers.push(server);
  const serve = (socket: Socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (!text.endsWith("\u001c\r")) return;
      const message = text.slice(1, -2);
      told.push(message);
      const said = answer(message);
      if (said === null) socket.destroy();
      // In two parts, as networks may deliver it.
      else if (said !== "") socket.write(said.slice(0, 9), () => socket.write(said.slice(9)));
    });
  };
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("listening" in server && "addContext" in server ? "secureConnection" : "connection", serve);
  return new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
}

async function measuredFilm(instance = "1.2.3.4"): Promise<string> {
  return (await bench.openFilm("bella.dcm", phantomFile({ instance, patientId: "P-4711" }))).id;
}
const films = async () => (await bench.call("films.list", {})).films;

/** Accepts the networks' proposal without notifying the sender. */
const acceptUnnoted = (filmId: string, remark = "") =>
  bench.decide(filmId, { verdict: "accepted", who: "Dr. Weiß", remark });

async function accept(filmId: string, remark = ""): Promise<void> {
  await acceptUnnoted(filmId, remark);
  sender.note({ id: filmId });
}

async function undo(filmId: string): Promise<void> {
  const { readings } = await bench.call("films.get", { filmId });
  await bench.call("readings.undo", { filmId, readingId: readings.at(-1)!.id });
  sender.note({ id: filmId });
}

const said = (segment: string, field: number) => told.map((message) => valueOf(parseHl7(message)[0]!, segment, field));

describe("a result", () => {
  test("accepted by a user is sent once", async () => {
    await receive((message) => ack(message));
    await sender.save(destination());
    const filmId = await measuredFilm();
    sender.note((await films())[0]!);
    await sender.look();
    expect(told).toEqual([]);
    await accept(filmId);
    expect(await sender.get()).toMatchObject({ waiting: 1, lastSentAt: null });
    await sender.look();
    const [message] = parseHl7(told[0]!);
    expect([5, 6].map((field) => valueOf(message!, "MSH", field))).toEqual(["PRACTICE", "CLINIC"]);
    expect(valueOf(message!, "MSH", 9)).toBe("ORU");
    expect([valueOf(message!, "PID", 3), valueOf(message!, "OBR", 25)]).toEqual(["P-4711", "F"]);
    expect(await sender.get()).toMatchObject({ waiting: 0, refused: 0, failure: null });
    const { events } = await bench.call("audit.list", { actions: ["film.sent"] });
    expect(events).toMatchObject([{ subject: filmId, via: "program", detail: { to: `127.0.0.1:${port}` } }]);
    sender.note((await films())[0]!);
    await sender.look();
    expect(told).toHaveLength(1);
  });

  test("of the networks is sent if the settings include all results, followed by the user's decision", async () => {
    await receive((message) => ack(message));
    await sender.save({ ...destination(), results: "all" });
    const filmId = await measuredFilm();
    sender.note((await films())[0]!);
    await sender.look();
    await accept(filmId);
    await sender.look();
    expect(told.map((message) => valueOf(parseHl7(message)[0]!, "OBR", 25))).toEqual(["P", "F"]);
  });

  test("is sent again with a new message id after its film was reassigned or its date changed", async () => {
    await receive((message) => ack(message));
    await sender.save(destination());
    const filmId = await measuredFilm();
    await accept(filmId);
    const filmIds = [filmId];
    const { id: former } = (await bench.call("films.get", { filmId })).film.patient!;
    const { id: patientId } = await bench.addPatient({ owner: "Muster", uuid: "P-9" });
    for (const change of [
      () => Promise.resolve(),
      () => bench.call("films.assignPatient", { filmIds, patientId }),
      () => bench.call("films.edit", { filmId, takenAt: "2026-01-02T03:04:05.000Z" }),
      () => bench.call("films.assignPatient", { filmIds, patientId: former }),
      () => bench.call("films.assignPatient", { filmIds, patientId: former }),
    ]) {
      await change();
      sender.note({ id: filmId });
      await sender.look();
    }
    expect(said("PID", 3)).toEqual(["P-4711", "P-9", "P-9", "P-4711"]);
    expect(said("OBR", 7).slice(2)).toEqual(["20260102030405+0000", "20260102030405+0000"]);
    expect(new Set(said("OBR", 3)).size).toBe(1);
    expect(new Set(told.map(idOf)).size).toBe(4);
  });

  test("that is undone is not sent; if it may have been received, it is followed by the proposal", async () => {
    bench.setNow(new Date("2026-11-21T12:00:00Z"));
    const filmId = await measuredFilm();
    bench.setNow(new Date("2026-11-21T13:00:00Z"));
    await sender.save(destination());
    await accept(filmId);
    expect(await sender.sendNow()).toMatchObject({ waiting: 1, failure: { reason: "unreachable" } });
    await undo(filmId);
    let isAnswering = true;
    await receive((message) => (isAnswering ? ack(message) : null));
    expect([await sender.sendNow(), told]).toMatchObject([{ waiting: 0 }, []]);
    await accept(filmId);
    await sender.look();
    await undo(filmId);
    await sender.look();
    expect(said("OBR", 25)).toEqual(["F", "P"]);
    await sender.look();
    expect([told.length, (await sender.get()).waiting]).toEqual([2, 0]);
    const other = await measuredFilm("1.2.3.5");
    isAnswering = false;
    await accept(other);
    await sender.look();
    isAnswering = true;
    await undo(other);
    expect(await sender.sendNow()).toMatchObject({ waiting: 0, failure: null });
    expect(said("OBR", 25).slice(2)).toEqual(["F", "P"]);
  });

  test("without acknowledgement is kept over a restart and sent when the receiver responds", async () => {
    await sender.save(destination());
    expect(await sender.test(destination())).toEqual({ reason: "unreachable", detail: "ECONNREFUSED" });
    await accept(await measuredFilm());
    await sender.look();
    expect(await sender.get()).toMatchObject({ waiting: 1, failure: { reason: "unreachable" } });
    await sender.close();
    sender = createMllpSender(bench.desktop.context, times);
    await receive((message) => ack(message));
    expect([await sender.test(destination()), told]).toEqual([null, []]);
    expect(await sender.sendNow()).toMatchObject({ waiting: 0, failure: null });
    expect(told).toHaveLength(1);
  });

  test("that is pending is sent even if the film's image was deleted or the film was removed", async () => {
    await sender.save(destination());
    const [first, second] = [await measuredFilm("1.2.3.4"), await measuredFilm("1.2.3.5")];
    for (const filmId of [first, second]) await accept(filmId);
    await bench.call("settings.save", { keepImages: "while_open" });
    await applyImageRetention(bench.desktop.context, true);
    await bench.call("films.remove", { filmIds: [second] });
    expect(await films()).toMatchObject([{ id: first, hasImage: false }]);
    await receive((message) => ack(message));
    expect(await sender.sendNow()).toMatchObject({ waiting: 0, failure: null });
    expect(told.map((message) => valueOf(parseHl7(message)[0]!, "OBR", 25))).toEqual(["F", "F"]);
  });

  test("without a decision is discarded with its film and logged", async () => {
    await sender.save({ ...destination(), results: "all" });
    const filmId = await measuredFilm();
    sender.note((await films())[0]!);
    await sender.look();
    await bench.call("films.remove", { filmIds: [filmId] });
    await receive((message) => ack(message));
    expect(await sender.sendNow()).toMatchObject({ waiting: 0, lastSentAt: null });
    expect([told, bench.logged.filter((line) => line.includes("no longer exists")).length]).toEqual([[], 1]);
  });

  test("is retried only after a pause", async () => {
    let isFirst = true;
    await receive((message) => {
      const said = isFirst ? ack(message, "AE", "busy") : ack(message);
      isFirst = false;
      return said;
    });
    await sender.save(destination());
    await accept(await measuredFilm());
    bench.setNow(new Date("2026-11-21T12:00:00Z"));
    await sender.look();
    expect(await sender.get()).toMatchObject({ waiting: 1, failure: { reason: "message-error", detail: "AE: busy" } });
    await sender.look();
    expect(told).toHaveLength(1);
    bench.setNow(new Date("2026-11-21T12:05:00Z"));
    await sender.look();
    expect([told.length, told[0] && idOf(told[0]) === idOf(told[1]!)]).toEqual([2, true]);
    expect((await sender.get()).waiting).toBe(0);
  });

  test("that is pending is retried when a clock that was ahead is corrected", async () => {
    let isBusy = true;
    await receive((message) => (isBusy ? ack(message, "AE", "busy") : ack(message)));
    bench.setNow(new Date("2036-11-25T09:00:00Z"));
    await sender.save(destination());
    await accept(await measuredFilm());
    await sender.look();
    isBusy = false;
    bench.setNow(new Date("2026-11-25T09:00:00Z"));
    await sender.look();
    expect(await sender.get()).toMatchObject({ waiting: 0, failure: null });
  });

  test("that is refused waits for a user and does not delay others", async () => {
    let refused = "";
    await receive((message) => {
      refused ||= idOf(message);
      return idOf(message) === refused ? ack(message, "AR", "unknown patient") : ack(message);
    });
    await sender.save(destination());
    await accept(await measuredFilm("1.2.3.4"));
    await accept(await measuredFilm("1.2.3.5"));
    await sender.look();
    expect(await sender.get()).toMatchObject({ waiting: 1, refused: 1, failure: { detail: "AR: unknown patient" } });
    expect(bench.logged.join()).not.toContain("unknown patient");
    await sender.sendNow();
    expect([told.length, (await sender.get()).refused]).toEqual([3, 1]);
    expect(await sender.discardRefused()).toMatchObject({ waiting: 0, refused: 0 });
    // Further events of the film do not queue the same reading again.
    for (const film of await films()) sender.note(film);
    await sender.look();
    expect(await sender.get()).toMatchObject({ waiting: 0, refused: 0 });
  });

  test("that was saved just before the program was killed is found at the next start", async () => {
    await receive((message) => ack(message));
    await sender.save(destination());
    // As if the program had been killed before the event.
    await acceptUnnoted(await measuredFilm());
    await bench.context.db.updateTable("settings").set({ value: "[]" }).where("key", "=", "hl7Waiting").execute();
    await sender.start();
    expect((await sender.get()).waiting).toBe(1);
    await sender.look();
    expect(told).toHaveLength(1);
  });
});

test("queues a result at the next poll if the store could not queue it before", async () => {
  await receive((message) => ack(message));
  await sender.save(destination());
  await acceptUnnoted(await measuredFilm());
  const [film] = await films();
  // The bench's own sender has queued it.
  await bench.desktop.parts.mllp.get();
  await bench.context.db.updateTable("settings").set({ value: "[]" }).where("key", "=", "hl7Waiting").execute();
  const { driver } = engineOf(bench.context.db);
  const broken = vi.spyOn(driver, "transaction").mockRejectedValue(new AppError("STORE_UNAVAILABLE"));
  sender.note(film!);
  await sender.look();
  broken.mockRestore();
  expect((await sender.get()).waiting).toBe(0);
  await sender.look();
  expect(told).toHaveLength(1);
});

describe("the sender", () => {
  test("ignores films decided before sending was enabled, until a new decision", async () => {
    await receive((message) => ack(message));
    const [first, second] = [await measuredFilm("1.2.3.4"), await measuredFilm("1.2.3.5")];
    for (const filmId of [first, second]) await accept(filmId);
    await sender.save(destination());
    for (const film of await films()) sender.note(film);
    await sender.look();
    expect([told, (await sender.get()).waiting]).toEqual([[], 0]);
    await accept(second, "Seen by two");
    await sender.look();
    expect(told).toHaveLength(1);
  });

  test("ignores simulated films", async () => {
    await receive((message) => ack(message));
    await sender.save({ ...destination(), results: "all" });
    const film = await bench.openFilm("mine.jpg", readFileSync(path.join(samplesDir, "sample-1.jpg")));
    await accept(film.id);
    await sender.look();
    expect([told, (await sender.get()).waiting]).toEqual([[], 0]);
  });
});

describe("a faulty receiver", () => {
  test("loses no results; disabling the sender clears the queue", async () => {
    let answer: string | null = null;
    await receive(() => answer);
    await sender.close();
    sender = createMllpSender(bench.desktop.context, { ...times, answerMs: 300 });
    await sender.save(destination());
    await accept(await measuredFilm());
    for (const [said, reason] of [
      [null, "connection-lost"],
      ["HTTP/1.1 400 Bad Request\r\n\r\n", "not-hl7"],
      [frame("MSH|^~\\&|A\rMSA|AA|other\r"), "not-hl7"],
      [`\u000b${"x".repeat(400_000)}`, "not-hl7"],
      ["", "no-answer"],
    ] as const) {
      answer = said;
      expect(await sender.sendNow()).toMatchObject({ waiting: 1, failure: { reason } });
    }
    expect((await sender.save({ ...destination(), isOn: false })).waiting).toBe(0);
    await expect.poll(async () => (await bench.call("hl7.get", {})).destination.isOn).toBe(false);
    await expect(bench.call("hl7.save", { ...destination(), host: "" })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
  });

  test("with TLS receives results only if its certificate is trusted", async () => {
    const until = new Date(Date.now() + 3_600_000);
    const { certificatePem, privateKeyPem } = await makeOwnCertificate("127.0.0.1", new Date(), until);
    await receive((message) => ack(message), createTlsServer({ cert: certificatePem, key: privateKeyPem }));
    await sender.save({ ...destination(), tls: { trusted: certificatePem } });
    await accept(await measuredFilm());
    await sender.look();
    expect([told.length, (await sender.get()).waiting]).toEqual([1, 0]);
    const doubted = await sender.test({ ...destination(), tls: { trusted: "" } });
    expect(doubted?.reason).toBe("certificate-doubted");
  });
});
