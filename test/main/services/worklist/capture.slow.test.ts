// Runs once: its queries are tested elsewhere.
// Needs its own process: mocks a module
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { registerFilms } from "../../../../core/cardiac/capture/register-films.ts";
import { scoreHeart } from "../../../../core/cardiac/heart-score.ts";
import type { MeasuredRadiograph, UnrectifiedImage } from "../../../../core/cardiac/radiograph-measurement.ts";
import { squareAxes } from "../../../../core/cardiac/silhouette/square-axes.ts";
import type { PopFrame } from "../../../../main/inference/engine.ts";
import { queueLimit } from "../../../../main/services/measuring/work-queue.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { texturedFilm } from "../../../fixtures/textured-film.ts";
import { measured, rejected } from "../../store/sample-store.ts";

// Only counts calls; the implementation is unchanged.
vi.mock(import("../../../../core/cardiac/capture/register-films.ts"), { spy: true });

const bench = useBench();

const landmarks = { ...measured.landmarks, ...squareAxes(measured.landmarks) };
const popMeasurement: MeasuredRadiograph = {
  ...measured,
  landmarks,
  score: scoreHeart(landmarks, measured.ruler),
  popDetected: true,
  spread: null,
  corners: [
    { x: 1, y: 1 },
    { x: 9, y: 1 },
    { x: 9, y: 9 },
    { x: 1, y: 9 },
  ],
};

async function goodFrame(sharpness: number, shade = 0, film = 1): Promise<PopFrame> {
  const size = { widthPx: 1080, heightPx: 900 };
  const grey = texturedFilm(film, size).map((level) => Math.max(0, level - shade));
  const toJpeg = () =>
    sharp(grey, { raw: { width: 1080, height: 900, channels: 1 } })
      .jpeg()
      .toBuffer();
  return { film: { ...size, data: grey, channels: 3, grey, toJpeg }, measurement: { ...popMeasurement, sharpness } };
}
const { imageSha256 } = measured.provenance;
const noFilm: PopFrame = {
  film: null,
  measurement: {
    kind: "unrectified",
    resultCode: 7,
    widthPx: 640,
    heightPx: 480,
    classifierConfidence: 0.9,
    provenance: { ...measured.provenance, imageSha256 },
  } satisfies UnrectifiedImage,
};

const startSession = async () => (await bench.call("capture.start", { patientId: null })).sessionId;

const frame = async (sessionId: string) =>
  bench.desktop.parts.captures.addFrame(sessionId, await smallPicture(1, "jpeg"), new AbortController().signal);

describe("a capture session", () => {
  it("ends after three good frames with the sharpest film and the reading of all frames", async () => {
    const patient = await bench.addPatient();
    const { sessionId } = await bench.call("capture.start", { patientId: patient.id });
    bench.engine.photographs(await goodFrame(0.5), noFilm, await goodFrame(0.9, 30), await goodFrame(0.7));
    const steps = [await frame(sessionId), await frame(sessionId), await frame(sessionId), await frame(sessionId)];
    const countsOf = ({ status, goodFrames, framesProcessed, lastFrame }: (typeof steps)[0]) =>
      [status, goodFrames, framesProcessed, lastFrame?.isGood] as const;
    expect(steps.map(countsOf)).toEqual([
      ["continue", 1, 1, true],
      ["continue", 1, 2, false],
      ["continue", 2, 3, true],
      ["complete", 3, 4, true],
    ]);
    expect(steps[1]!.lastFrame?.reason).toBe("PoP image detected but perspective correction failed");
    const { film, readings } = await bench.call("films.get", { filmId: steps[3]!.filmId! });
    expect(film).toMatchObject({
      origin: "capture",
      state: "done",
      patient: { id: patient.id },
      widthPx: 1080,
      heightPx: 900,
      urls: { rectified: null },
    });
    expect(readings).toMatchObject([
      { source: "model", popDetected: true, spread: null, heart: { heart_top: { x: expect.closeTo(500, -1) } } },
    ]);
    const meanOf = (levels: Uint8Array) => levels.reduce((sum, level) => sum + level, 0) / levels.length;
    const kept = await sharp(Buffer.from(await bytesOf(film.sha256)))
      .greyscale()
      .raw()
      .toBuffer();
    const darker = texturedFilm(1, { widthPx: 1080, heightPx: 900 }).map((level) => Math.max(0, level - 30));
    expect(meanOf(kept)).toBeCloseTo(meanOf(darker), 0);
    expect(bench.engine.asked).toEqual([]);
    const ended = { status: "complete", goodFrames: 3, framesProcessed: 4, filmId: film.id };
    expect(await frame(sessionId)).toMatchObject(ended);
  });

  it("adds a film that is not measured again", async () => {
    const sessionId = await startSession();
    bench.engine.photographs(await goodFrame(0.5), await goodFrame(0.9), await goodFrame(0.7));
    for (let count = 0; count < 3; count += 1) await frame(sessionId);
    bench.engine.answers(measured);
    await bench.openFilm("other.png", await smallPicture(2));
    const { films } = await bench.call("films.list", {});
    await bench.call("films.retry", { filmIds: films.map(({ id }) => id) });
    await bench.desktop.parts.queue.whenIdle();
    const after = (await bench.call("films.list", {})).films;
    expect(after.map(({ origin, state, reading }) => [origin, state, reading?.version])).toEqual([
      ["file", "done", 2],
      ["capture", "done", 1],
    ]);
  });

  it("adds a film that is exported unchanged with its annotations", async () => {
    const sessionId = await startSession();
    bench.engine.photographs(await goodFrame(0.5), await goodFrame(0.9), await goodFrame(0.7));
    for (let count = 0; count < 2; count += 1) await frame(sessionId);
    const { filmId } = await frame(sessionId);
    const { film } = await bench.call("films.get", { filmId: filmId! });
    const said = { basedOn: film.reading!.readingId, verdict: "accepted", who: "A", geometry: null } as const;
    await bench.call("readings.save", { filmId: filmId!, ...said });
    const { exported, skipped, download } = await bench.call("films.exportAnnotated", {
      exportId: randomUUID(),
    });
    const zip = (await fetchedExport(bench.dataDir, download.url)).bytes;
    const files = await readZip(zip, { files: 10, fileBytes: 1e8, totalBytes: 1e8 });
    const picture = await sharp(files.find(({ name }) => name.endsWith(".png"))!.bytes).metadata();
    expect([exported, skipped, picture.width, picture.height]).toEqual([1, 0, 1080, 900]);
  });

  it("adds no film if the reading cannot be stored, and adds both with the next frame", async () => {
    const sessionId = await startSession();
    bench.engine.photographs(await goodFrame(0.5), await goodFrame(0.9), await goodFrame(0.7));
    await frame(sessionId);
    await frame(sessionId);
    const putRight = await refuseRows(bench.context.db, "readings", { message: "the database has a fault" });
    await expect(frame(sessionId)).rejects.toThrow("the database has a fault");
    expect((await bench.call("films.list", {})).total).toBe(0);
    await putRight();
    const { status, filmId } = await frame(sessionId);
    const { films } = await bench.call("films.list", {});
    expect([status, films.map(({ id, reading }) => [id, reading?.version])]).toEqual(["complete", [[filmId, 1]]]);
  });

  it("does not count a frame of another film, with the reason", async () => {
    const sessionId = await startSession();
    bench.engine.photographs(
      await goodFrame(0.5),
      await goodFrame(0.9, 0, 2),
      await goodFrame(0.6),
      await goodFrame(0.7),
    );
    const steps = [await frame(sessionId), await frame(sessionId), await frame(sessionId), await frame(sessionId)];
    expect(steps.map(({ status, goodFrames, lastFrame }) => [status, goodFrames, lastFrame?.reason])).toEqual([
      ["continue", 1, null],
      ["continue", 1, "The frame does not agree with the other frames"],
      ["continue", 2, null],
      ["complete", 3, null],
    ]);
  });

  it("compares no films after it was cancelled", async () => {
    const sessionId = await startSession();
    bench.engine.photographs(await goodFrame(0.5));
    await frame(sessionId);
    vi.mocked(registerFilms).mockClear();
    const next = await goodFrame(0.7);
    const toJpeg = async () => {
      await bench.call("capture.cancel", { sessionId });
      return next.film!.toJpeg();
    };
    bench.engine.photographs({ film: { ...next.film!, toJpeg }, measurement: popMeasurement });
    expect(await frame(sessionId)).toMatchObject({ framesProcessed: 1, goodFrames: 1 });
    expect(registerFilms).not.toHaveBeenCalled();
  });

  it("stops comparing films if a frame is aborted, and compares the rest with the next frame", async () => {
    const sessionId = await startSession();
    for (const film of [1, 2, 3]) {
      bench.engine.photographs(await goodFrame(0.5, 0, film));
      await frame(sessionId);
    }
    bench.engine.photographs(await goodFrame(0.5, 0, 4));
    const gone = new AbortController();
    vi.mocked(registerFilms).mockClear();
    vi.mocked(registerFilms).mockImplementationOnce(() => {
      gone.abort();
      return null;
    });
    const left = bench.desktop.parts.captures.addFrame(sessionId, await smallPicture(1, "jpeg"), gone.signal);
    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    expect(registerFilms).toHaveBeenCalledTimes(1);
    expect(await frame(sessionId)).toMatchObject({ framesProcessed: 4 });
    expect(registerFilms).toHaveBeenCalledTimes(3);
  });

  it("fails after five images that the classifier rejects", async () => {
    const sessionId = await startSession();
    bench.engine.photographs({ film: null, measurement: rejected });
    let last = await frame(sessionId);
    expect(last.lastFrame).toMatchObject({ isGood: false, reason: "Image rejected, not a valid radiograph" });
    for (let count = 1; count < 5; count += 1) last = await frame(sessionId);
    expect(last).toMatchObject({ status: "failed", error: "max_consecutive_failures", filmId: null });
  });

  it("ends after 300 seconds", async () => {
    bench.engine.photographs(await goodFrame(0.5));
    const { sessionId, secondsLeft } = await bench.call("capture.start", { patientId: null });
    expect(secondsLeft).toBeGreaterThan(295);
    bench.setNow(new Date(Date.UTC(2026, 10, 21, 9, 10)));
    const ended = { status: "failed", error: "session_timeout", framesProcessed: 0, secondsLeft: 0 };
    expect(await frame(sessionId)).toMatchObject(ended);
    expect(await frame(sessionId)).toMatchObject(ended);
  });

  it("does not count an unreadable image, and reports missing networks", async () => {
    const sessionId = await startSession();
    await expect(
      bench.desktop.parts.captures.addFrame(sessionId, Buffer.from("no"), new AbortController().signal),
    ).rejects.toMatchObject({ code: "UNSUPPORTED_IMAGE" });
    bench.engine.photographs(new AppError("POP_NOT_LOADED"));
    await expect(frame(sessionId)).rejects.toMatchObject({ code: "POP_NOT_LOADED" });
    bench.engine.photographs(noFilm);
    expect((await frame(sessionId)).framesProcessed).toBe(1);
    await bench.call("capture.cancel", { sessionId });
    await expect(frame(sessionId)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  it("queues no more frames than the queue has places", async () => {
    const sessionId = await startSession();
    const others = bench.context.queue.reserve(queueLimit - 2);
    bench.engine.photographs(noFilm);
    const jpeg = await smallPicture(1, "jpeg"); // Created in advance, so that all five arrive together.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        bench.desktop.parts.captures.addFrame(sessionId, jpeg, new AbortController().signal),
      ),
    );
    const codes = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.framesProcessed : (outcome.reason as AppError).code,
    );
    expect(codes.sort()).toEqual([1, 2, "BUSY", "BUSY", "BUSY"]);
    others.release();
    expect(bench.context.queue.size).toBe(0);
  });

  it("finds the corners of the film for the outline, in pixels of the sent image", async () => {
    const outline = await bench.desktop.parts.captures.findCorners(
      await smallPicture(1, "jpeg"),
      new AbortController().signal,
    );
    expect(outline).toEqual({
      corners: [
        { x: 10, y: 10 },
        { x: 90, y: 10 },
        { x: 90, y: 70 },
        { x: 10, y: 70 },
      ],
      widthPx: 121,
      heightPx: 90,
    });
    expect(bench.context.queue.size).toBe(0);
  });
});

async function bytesOf(sha256: string): Promise<Buffer> {
  const { readFilmImage } = await import("../../../../main/services/desktop/film-images.ts");
  return readFilmImage(bench.context, sha256, "original");
}
