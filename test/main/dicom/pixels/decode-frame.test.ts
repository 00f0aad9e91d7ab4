import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { createFrameDecoder, type FrameDecoder } from "../../../../main/dicom/pixels/decode-frame.ts";
import { encapsulatedFile, nativeFile, phantomFilm, type Phantom } from "./phantom-film.ts";

let film: Phantom;
let decoder: FrameDecoder;

beforeAll(async () => {
  film = await phantomFilm(12, false, { widthPx: 48, heightPx: 40 });
  decoder = createFrameDecoder({ threads: 1 });
});
afterAll(() => decoder.close());

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no fault";
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`;
  }
}

describe("decoding in threads of their own", () => {
  test("gives the frame and leaves the caller's bytes alone", async () => {
    const file = nativeFile(film);
    const before = Buffer.from(file);
    const frames = await Promise.all([decoder.decode(file, 0), decoder.decode(file, 0)]);
    expect(frames.map(({ samples }) => [...samples])).toEqual([[...film.values], [...film.values]]);
    expect(file.equals(before)).toBe(true);
  });
  test("a view into a larger buffer is one file", async () => {
    const file = nativeFile(film);
    const inside = Buffer.concat([Buffer.alloc(333, 7), file, Buffer.alloc(99, 7)]).subarray(333, 333 + file.length);
    expect([...(await decoder.decode(inside, 0)).samples]).toEqual([...film.values]);
  });
  test("what a codec complains of is said in words, and the same thread decodes the next film", async () => {
    const header = Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 12, 0, 40, 0, 48, 1, 1, 0x11, 0, 0, 0, 0]);
    expect(await faultOf(decoder.decode(encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], [header]), 0))).toMatch(/^INVALID_DICOM: The DICOM file is damaged: its picture cannot be decompressed/);
    expect((await decoder.decode(nativeFile(film), 0)).widthPx).toBe(48);
  });
  test("a call that is not wanted any more ends", async () => {
    const stop = new AbortController();
    const call = decoder.decode(nativeFile(film), 0, { signal: stop.signal });
    stop.abort();
    expect(await faultOf(call)).toBe("ABORTED: Request cancelled");
    expect((await decoder.decode(nativeFile(film), 0)).widthPx).toBe(48);
  });
});

describe("a decoder that goes wrong takes down its thread alone", () => {
  const faulty = (deadlineMs: number) => createFrameDecoder({ threads: 1, deadlineMs, threadFile: new URL("./faulty-thread.ts", import.meta.url) });
  const cases = [
    ["hangs", "h", "INVALID_DICOM: The DICOM file cannot be read: its picture takes too long to decode"],
    ["ends the process", "x", "INVALID_DICOM: The DICOM file cannot be read: its decoder crashed"],
    ["throws", "t", "INVALID_DICOM: The DICOM file cannot be read: its decoder crashed"],
    ["eats the memory", "m", "INVALID_DICOM: The DICOM file cannot be read: its decoder ran out of memory"],
  ] as const;
  test.each(cases)("one that %s", async (_name, way, fault) => {
    const bad = faulty(way === "h" ? 400 : 20_000);
    // The second waits for the first one's place and gets a thread of its own.
    const [first, second] = await Promise.all([faultOf(bad.decode(Buffer.from(way), 0)), faultOf(bad.decode(Buffer.from("s"), 0))]);
    expect([first, second]).toEqual([fault, "UNSUPPORTED_DICOM: done in time"]);
    await bad.close();
  });
  test("a damaged film of which the real codec never comes back", async () => {
    // Found by the fuzz command, seed 20261121, number 79554.
    const real = createFrameDecoder({ threads: 1, deadlineMs: 1500 });
    const outcomes = await Promise.all([faultOf(real.decode(readFileSync("test/fixtures/dicom/hanging/htj2k-lossy.dcm"), 0)), real.decode(nativeFile(film), 0).then(({ widthPx }) => widthPx)]);
    expect(outcomes).toEqual(["INVALID_DICOM: The DICOM file cannot be read: its picture takes too long to decode", 48]);
    await real.close();
  });
  test("a picture that is known to be large may take longer", async () => {
    const patient = faulty(400);
    expect(await faultOf(patient.decode(Buffer.from("s"), 0))).toBe("UNSUPPORTED_DICOM: done in time");
    await patient.close();
  });
});
