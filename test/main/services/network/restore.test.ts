import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { endOf, freePort, hasDcmtk, run } from "../../dicom/network/dcmtk.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";

if (!hasDcmtk) console.log("skipped: DCMTK is not installed (Debian: dcmtk)");

let folder: string;
let port: number;
const benches: DesktopBench[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-restore-"));
  port = await freePort();
});
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
  await Promise.all(
    children.splice(0).map((child) => {
      const ended = endOf(child);
      child.kill("SIGKILL");
      return child.exitCode === null && child.signalCode === null ? ended : null;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
});

/** A workstation of its own that knows the PACS. */
async function workstation(name: string, sizePx: { readonly widthPx: number; readonly heightPx: number }) {
  const bench = openBench({ dataDir: path.join(folder, name) });
  benches.push(bench);
  bench.engine.answers({ ...measured, ...sizePx });
  const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS" };
  const nodeId = (await bench.call("dicom.saveNode", node)).nodes[0]!.id;
  const films = async () => (await bench.call("films.list", { limit: 50 })).films;
  return { bench, nodeId, films };
}

/** Puts a film into the PACS, corrects it at one workstation, and gives what another one has of it. */
async function thereAndBack(film: Buffer, study: string, sizePx: { widthPx: number; heightPx: number }) {
  children.push(spawnOrthanc(folder, { dicomPort: port, ownPort: 1 }));
  const echo = ["-aec", "PACS", "127.0.0.1", String(port)];
  await vi.waitUntil(async () => (await run("echoscu", echo)).status === 0, { timeout: 60_000, interval: 100 });
  writeFileSync(path.join(folder, "film.dcm"), film);
  expect((await run("storescu", [...echo, path.join(folder, "film.dcm")])).status).toBe(0);
  const first = await workstation("first", sizePx);
  const fetch = ({ bench, nodeId }: typeof first) =>
    bench.call("pacs.fetch", { jobId: randomUUID(), nodeId, studyInstanceUid: study });
  expect(await fetch(first)).toEqual({ fetchedObjects: 1, failedObjects: 0, failure: null });
  await vi.waitUntil(async () => (await first.films())[0]?.state === "done", { timeout: 30_000 });
  const filmId = (await first.films())[0]!.id;
  const [own] = (await first.bench.call("films.get", { filmId })).readings;
  await first.bench.call("readings.save", {
    ...{ filmId, basedOn: own!.id, verdict: "corrected", who: "Dr. Weiß", remark: "Spitze versetzt" },
    geometry: { heart: { ...own!.heart!, heart_bottom: { x: 50.5, y: 61.5 } }, edges: [...measured.edges] },
  });
  const request = { sendId: randomUUID(), filmId, nodeId: first.nodeId };
  expect(await first.bench.call("dicom.send", request)).toEqual({ sentObjects: 2, failure: null });
  const second = await workstation("second", sizePx);
  await second.bench.call("settings.save", { measuresOnArrival: false });
  expect(await fetch(second)).toEqual({ fetchedObjects: 3, failedObjects: 0, failure: null });
  const readingsOf = async ({ bench, films }: typeof first) => {
    const [shown] = await films();
    return shown ? (await bench.call("films.get", { filmId: shown.id })).readings : [];
  };
  await vi.waitUntil(async () => (await readingsOf(second)).length === 2, { timeout: 30_000 });
  return {
    films: (await second.films()).map(({ widthPx, heightPx }) => ({ widthPx, heightPx })),
    sent: await readingsOf(first),
    restored: await readingsOf(second),
    notShown: (await second.bench.call("received.list", {})).objects,
  };
}

const facts: PhantomFacts = { study: "1.2.3.51", instance: "1.2.3.51.1" };

describe.skipIf(!hasOrthanc || !hasDcmtk)("a film in a PACS", () => {
  test("comes back with proposal and correction at another workstation", async () => {
    const { films, sent, restored, notShown } = await thereAndBack(phantomFile(facts), "1.2.3.51", {
      widthPx: 96,
      heightPx: 80,
    });
    expect(films).toEqual([{ widthPx: 96, heightPx: 80 }]);
    const essence = (readings: typeof sent) =>
      readings.map(({ verdict, who, remark, heart, edges }) => ({ verdict, who, remark, heart, edges }));
    expect(essence(restored)).toEqual(essence(sent));
    expect(notShown).toEqual([]);
  });

  test("of pixels that are not square comes back with its marks where they were", async () => {
    const content = dataSet(...phantomElements(facts), text("00280034", "IS", "2\\1"));
    const film = partTen("1.2.840.10008.1.2.1", content, [
      text("00020002", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
      text("00020003", "UI", "1.2.3.51.1"),
    ]);
    const { films, sent, restored } = await thereAndBack(film, "1.2.3.51", { widthPx: 96, heightPx: 160 });
    expect(films).toEqual([{ widthPx: 96, heightPx: 160 }]);
    // Places in a report are those of the stored picture, so they pass through its other height.
    const hundredths = (readings: typeof sent) =>
      readings.map(({ heart }) =>
        Object.values(heart ?? {}).map((place) => place && [place.x, place.y].map((px) => Math.round(px * 100))),
      );
    expect(hundredths(restored)).toEqual(hundredths(sent));
  });
});
