// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import type { DesktopRequest } from "../../../../core/contract/desktop.ts";
import type { DicomSend } from "../../../../main/services/network/dicom-send.ts";
import { sendDeidentified } from "../../../../main/services/privacy/deidentified-sending.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { smallPicture, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";
import { sopClasses } from "../../../../main/dicom/results/uids.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { createArchive } from "../network/archive.ts";
import { openSurroundingsOfFile } from "../network/surroundings.ts";

const around = openSurroundingsOfFile();
let bench: DesktopBench;
let port: number;
let nodeId: string;
let notedBefore = 0;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  for (const number of [1, 2])
    await bench.addFile(`${number}.dcm`, phantomFile({ instance: `1.2.3.97.${number}`, grey: 50 * number }));
  await bench.desktop.parts.queue.whenIdle();
});

beforeEach(async () => {
  port = await freePort();
  const node = { nodeId: null, name: `Teaching ${port}`, host: "127.0.0.1", port, aeTitle: "PACS" };
  const { nodes } = await bench.call("dicom.saveNode", node);
  nodeId = nodes.find(({ name }) => name === node.name)!.id;
  notedBefore = (await allNoted()).length;
});

async function filmsByName(...names: readonly string[]) {
  const { films } = await bench.call("films.list", {});
  return names.map((name) => ({ filmId: films.find(({ fileName }) => fileName === name)!.id, areas: [] }));
}

async function send(fields: Partial<DesktopRequest<"deidentify.send">>) {
  const choices = { dates: "removed", descriptors: "removed", keepsPatient: false, withKeyFile: true } as const;
  const films = await filmsByName("1.dcm", "2.dcm");
  return bench.call("deidentify.send", { films, ...choices, sendId: randomUUID(), nodeId, ...fields });
}

async function allNoted() {
  const { rows } = await listAuditEvents(bench.context.db, { limit: 500, offset: 0 });
  return rows.filter(({ action }) => action === "film.deidentified").map(({ detail }) => detail["to"]);
}

async function noted() {
  const all = await allNoted();
  return all.slice(0, all.length - notedBefore);
}

test("sends films of one patient under one pseudonym and with new UIDs", async () => {
  const stored: string[] = [];
  await around.listening(createArchive({ stores: (uid) => (stored.push(uid), 0) }), port);
  const sendId = randomUUID();
  const { keyFile, ...sent } = await send({ sendId });
  expect(sent).toEqual({ films: 2, skipped: [], sentObjects: 8, failure: null });
  expect([stored.length, stored.filter((uid) => uid.startsWith("1.2.3.97"))]).toEqual([8, []]);
  const rows = keyFile!.text.trim().split("\r\n").slice(1);
  expect(new Set(rows.map((row) => row.split(",")[0])).size).toBe(1);
  expect(rows.map((row) => row.split(",")[6])).toEqual(["1.dcm", "2.dcm"]);
  expect(await noted()).toEqual([`Teaching ${port}`, `Teaching ${port}`]);
  const told = bench.eventsOf("dicom.sending").filter((event) => event.sendId === sendId);
  expect(told.map(({ progress }) => progress.sentObjects)).toEqual([4, 8]);
});

test("does not count refused objects as sent", async () => {
  const stored: string[] = [];
  const refuses = sopClasses.presentationState;
  await around.listening(createArchive({ stores: (uid) => (stored.push(uid), 0), refuses }), port);
  const films = await filmsByName("1.dcm");
  expect(await send({ films })).toMatchObject({ films: 1, sentObjects: stored.length, failure: null });
  expect(stored).toHaveLength(3);
});

test("reports the objects accepted before a refusal, with the key file of films that may have been sent", async () => {
  let stored = 0;
  // Out of resources.
  await around.listening(createArchive({ stores: () => (++stored > 4 ? 0xa700 : 0) }), port);
  const { keyFile, ...sent } = await send({});
  expect(sent).toMatchObject({ films: 1, skipped: [], sentObjects: 4, failure: { reason: "object-refused" } });
  expect(keyFile!.text.trim().split("\r\n")).toHaveLength(3);
  expect(await noted()).toEqual([`Teaching ${port}`, `Teaching ${port}`]);
});

test("records sent objects even if the transmission fails", async () => {
  const films = await filmsByName("1.dcm", "2.dcm");
  const choices = { dates: "removed", descriptors: "removed", keepsPatient: false, withKeyFile: true } as const;
  const sendBatches: DicomSend["sendBatches"] = async ({ batches }) => {
    for await (const files of batches) if (files.length > 0) throw new AppError("INVALID_DICOM");
    throw new Error("nothing was offered");
  };
  const sending = sendDeidentified(
    bench.desktop.context,
    { sendBatches },
    { films, ...choices, sendId: randomUUID(), nodeId },
  );
  await expect(sending).rejects.toMatchObject({ code: "INVALID_DICOM" });
  expect(await noted()).toEqual([`Teaching ${port}`]);
});

test("sends nothing to an unreachable or deleted node", async () => {
  expect(await send({})).toMatchObject({ films: 0, sentObjects: 0, failure: { reason: "unreachable" } });
  await expect(send({ nodeId: "gone" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("skips an image without a reading, and creates a key file only if requested", async () => {
  await around.listening(createArchive({}), port);
  await bench.call("settings.save", { measuresOnArrival: false });
  await bench.addFile("photo.png", await smallPicture(3));
  await bench.call("settings.save", { measuresOnArrival: true });
  const films = await filmsByName("photo.png", "1.dcm");
  expect(await send({ films, withKeyFile: false })).toEqual({
    ...{ films: 1, skipped: [films[0]!.filmId], sentObjects: 4, failure: null, keyFile: null },
  });
});
