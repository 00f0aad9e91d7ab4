import { readFileSync } from "node:fs";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { createDicomReader } from "../../../main/dicom/dicom-reader.ts";
import { turnsOfFreeLoop, turnsUntil } from "../../fixtures/event-loop.ts";
import { implicit, partTen, sequence, text } from "./dicom-writer.ts";
import { encapsulatedFile, nativeFile, phantomFilm } from "./pixels/phantom-film.ts";

const film = await phantomFilm(12, false, { widthPx: 48, heightPx: 40 });
const reader = createDicomReader({ threads: 1 });
afterAll(() => reader.close());

/** Private elements without a value, at most 50,000. */
function manyElements(count: number): Buffer {
  const elements = Buffer.alloc(8 * count, "\x11\0  CS\0\0", "latin1");
  for (let index = 0; index < count; index += 1) elements.writeUInt16LE(0x1000 + index, 8 * index + 2);
  return partTen("1.2.840.10008.1.2.1", elements);
}

function implicitFile(elements: readonly (readonly [tag: string, value: Buffer])[]): Buffer {
  return partTen(
    "1.2.840.10008.1.2",
    Buffer.concat([
      implicit(text("00080060", "CS", "DX")),
      ...elements.map(([tag, value]) => implicit({ tag, vr: "", value })),
    ]),
  );
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no fault";
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`;
  }
}

describe("decoding in threads", () => {
  test("returns the frame and does not change the caller's bytes", async () => {
    const file = nativeFile(film);
    const before = Buffer.from(file);
    const frames = await Promise.all([reader.frame(file, 0), reader.frame(file, 0)]);
    expect(frames.map(({ samples }) => [...samples])).toEqual([[...film.values], [...film.values]]);
    expect(file.equals(before)).toBe(true);
  });
  test("reads a file from a view of a larger buffer", async () => {
    const file = nativeFile(film);
    const inside = Buffer.concat([Buffer.alloc(333, 7), file, Buffer.alloc(99, 7)]).subarray(333, 333 + file.length);
    expect([...(await reader.frame(inside, 0)).samples]).toEqual([...film.values]);
  });
  test("reports a codec's error and decodes the next film in the same thread", async () => {
    const header = Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 12, 0, 40, 0, 48, 1, 1, 0x11, 0, 0, 0, 0]);
    expect(await faultOf(reader.frame(encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], [header]), 0))).toMatch(
      /^INVALID_DICOM: The DICOM file is damaged: its image cannot be decompressed/,
    );
    expect((await reader.frame(nativeFile(film), 0)).widthPx).toBe(48);
  });
  test("rejects a cancelled call", async () => {
    const stop = new AbortController();
    const call = reader.frame(nativeFile(film), 0, { signal: stop.signal });
    stop.abort();
    expect(await faultOf(call)).toBe("ABORTED: Request cancelled");
    expect((await reader.frame(nativeFile(film), 0)).widthPx).toBe(48);
  });
});

describe("reading attributes in threads", () => {
  const plain = implicitFile([]);
  const hostile: readonly (readonly [name: string, file: () => Buffer, outcome: RegExp])[] = [
    ["tens of thousands of elements", () => manyElements(50_000), /^read$/],
    [
      "a spacing of five million numbers",
      () => implicitFile([["00280030", Buffer.alloc(10_000_000, "1\\")]]),
      /^read$/,
    ],
    ["a name of ten megabytes", () => implicitFile([["00100010", Buffer.alloc(10_000_000, "N")]]), /^read$/],
    [
      "nested sequences",
      () =>
        implicitFile([["0040A730", Buffer.alloc(1_000_000, Buffer.from("feff00e0ffffffff400030a7ffffffff", "hex"))]]),
      /^INVALID_DICOM/,
    ],
  ];
  test.each(hostile)("does not block the main thread: %s", async (_name, file, outcome) => {
    const bytes = file();
    // A generous deadline: this test is about the load of the main thread.
    const reader = createDicomReader({ threads: 1, deadlineMs: 60_000 });
    const reading = faultOf(
      reader.contents(bytes).then(({ instance }) => expect(JSON.stringify(instance).length).toBeLessThan(5000)),
    );
    expect(await turnsUntil(reading)).toBeGreaterThan(turnsOfFreeLoop);
    expect((await reading).replace("no fault", "read")).toMatch(outcome);
    expect((await reader.contents(plain)).instance.modality).toBe("DX");
    await reader.close();
  });
  test("returns the elements for results without the picture", async () => {
    const code = [text("00080100", "SH", "448771007"), text("00080102", "SH", "SCT")];
    const source = await reader.source(
      nativeFile(film, [
        text("00100010", "PN", "Sommer^Bella"),
        sequence("00102202", code),
        text("00100020", "LO", "A".repeat(20_000)),
      ]),
    );
    expect([
      source.text("00100010"),
      source.number("00280010"),
      source.items("00102202").map((item) => item.text("00080100")),
    ]).toEqual(["Sommer^Bella", 40, ["448771007"]]);
    expect([source.has("00100020"), source.has("7FE00010")]).toEqual([false, false]);
  });
});

describe("a failing reader thread", () => {
  // Longer than other timers of the process.
  const deadlineMs = 300_000;
  const startFaulty = () =>
    createDicomReader({ threads: 1, deadlineMs, threadFile: new URL("./faulty-thread.ts", import.meta.url) });
  /** Records the time limits of readers, the only timers this long. `end` ends the newest one at once. */
  function watchLimits() {
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const limits = () => timers.mock.calls.filter(([, ms = 0]) => ms >= deadlineMs);
    return { startedMs: () => limits().map(([, ms]) => ms), end: () => limits().at(-1)?.[0]() };
  }
  const cases = [
    ["hangs", "h", "DECODING_INTERRUPTED: The DICOM file cannot be read: its image takes too long to decode"],
    ["ends the process", "x", "DECODING_INTERRUPTED: The DICOM file cannot be read: its reader crashed"],
    ["throws", "t", "DECODING_INTERRUPTED: The DICOM file cannot be read: its reader crashed"],
    ["exhausts the memory", "m", "DECODING_INTERRUPTED: The DICOM file cannot be read: its reader ran out of memory"],
  ] as const;
  test.each(cases)("is replaced if it %s", async (_name, way, fault) => {
    const limits = watchLimits();
    const bad = startFaulty();
    const outcomes = Promise.all([faultOf(bad.frame(Buffer.from(way), 0)), faultOf(bad.frame(Buffer.from("s"), 0))]);
    if (way === "h") {
      await expect.poll(limits.startedMs).toEqual([deadlineMs]);
      limits.end();
    }
    expect(await outcomes).toEqual([fault, "UNSUPPORTED_DICOM: done in time"]);
    await bad.close();
  });
  test("is terminated if a damaged film hangs the codec", async () => {
    // Found by the fuzz command, seed 20261121, number 79554.
    const film = readFileSync("test/fixtures/dicom/hanging/htj2k-lossy.dcm");
    const real = createDicomReader({ threads: 1, deadlineMs: 1000 });
    expect(await faultOf(real.frame(film, 0))).toBe(
      "DECODING_INTERRUPTED: The DICOM file cannot be read: its image takes too long to decode",
    );
    await real.close();
  });
  test("gets more time for a large picture", async () => {
    const limits = watchLimits();
    const patient = startFaulty();
    expect(await faultOf(patient.frame(Buffer.from("l"), 0))).toBe("UNSUPPORTED_DICOM: done in time");
    expect(limits.startedMs()).toEqual([deadlineMs, deadlineMs + 4000]);
    await patient.close();
  });
});
