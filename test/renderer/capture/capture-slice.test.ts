// Needs its own process: mocks a module
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { CaptureProgress } from "../../../renderer/capture/capture-progress.tsx";
import { frameOf } from "../../../renderer/capture/camera.ts";
import { useCapture } from "../../../renderer/capture/capture-slice.ts";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useReaderMode } from "../../../renderer/state/films/reader-mode.ts";

// Outside a browser there is no camera, and no canvas for its picture.
vi.mock(import("../../../renderer/capture/camera.ts"), { spy: true });
beforeEach(() => {
  vi.mocked(frameOf).mockReset();
  answerCalls(() => ({ ok: true }));
  useCapture.getState().reset();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("cancels a session that was left while it was being opened", async () => {
  const opened = Promise.withResolvers<unknown>();
  const asked: unknown[] = [];
  answerCalls((channel, request: unknown) => {
    asked.push([channel, request]);
    return channel === "capture.start" ? opened.promise : { ok: true, value: {} };
  });
  const starting = useCapture.getState().start({} as HTMLVideoElement, null);
  await Promise.resolve();
  useCapture.getState().reset();
  opened.resolve({ ok: true, value: { sessionId: "session", status: "ready" } });
  await starting;
  expect(asked).toEqual([
    ["capture.start", { patientId: null }],
    ["capture.cancel", { sessionId: "session" }],
  ]);
  expect(useCapture.getState()).toMatchObject({ session: null, fault: null });
});

test("sends no frame and shows no fault after the session was cancelled", async () => {
  const taken = Promise.withResolvers<Blob>();
  vi.mocked(frameOf).mockReturnValueOnce(taken.promise as never);
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (address: unknown) => {
    sent.push(address);
    return Promise.resolve(Response.json({ ok: false, code: "SESSION_NOT_FOUND", message: "", reason: null }));
  });
  answerCalls((channel) => ({
    ok: true,
    value: channel === "capture.start" ? { sessionId: "session", status: "ready" } : {},
  }));
  const running = useCapture.getState().start({} as HTMLVideoElement, null);
  await expect.poll(() => vi.mocked(frameOf).mock.calls.length).toBeGreaterThan(0);
  await useCapture.getState().cancel();
  taken.resolve(new Blob(["frame"]));
  await running;
  expect({ sent, fault: useCapture.getState().fault }).toEqual({ sent: [], fault: null });
});

test("reports a failed detection and continues detecting", async () => {
  vi.mocked(frameOf).mockImplementation(() => Promise.resolve(new Blob(["frame"])));
  const answer = Promise.withResolvers<Response>();
  const answers = [Promise.resolve(Response.json({ ok: false, code: "STORE_BUSY", message: "" })), answer.promise];
  const fetched = vi.fn(() => answers.shift() ?? new Promise<Response>(() => undefined));
  vi.stubGlobal("fetch", fetched);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const following = new AbortController();
  void useCapture.getState().followCorners({} as HTMLVideoElement, following.signal);
  await expect.poll(() => useCapture.getState().outlineFault).toEqual(expect.stringContaining("in use"));
  const corners = { corners: null, widthPx: 720, heightPx: 405 };
  answer.resolve(Response.json({ ok: true, value: corners }));
  await vi.advanceTimersByTimeAsync(2000);
  await expect.poll(() => useCapture.getState().corners).toEqual(corners);
  expect(useCapture.getState().outlineFault).toBeNull();
  following.abort();
});

test("shows in reader mode that a frame is good, without its values and tier", () => {
  const lastFrame = { isGood: true, reason: null, vhs: 10.4, vlas: 2.5, tier: "good" } as const;
  const counts = { goodFrames: 1, goodFramesNeeded: 3, framesProcessed: 1, maxFrames: 20, secondsLeft: 60 };
  const session = {
    sessionId: "session",
    status: "continue",
    ...counts,
    lastFrame,
    error: null,
    filmId: null,
  } as const;
  onTestFinished(() => {
    Object.assign(useReaderMode.getInitialState(), { isOn: false });
    Object.assign(useCapture.getInitialState(), { session: null });
  });
  const shown = (isOn: boolean) => {
    // Server rendering uses the initial states of the stores.
    Object.assign(useReaderMode.getInitialState(), { isOn });
    Object.assign(useCapture.getInitialState(), { session });
    const markup = renderToStaticMarkup(createElement(CaptureProgress));
    return ["Good frame", "10.4", "Usable"].filter((part) => markup.includes(part));
  };
  expect([shown(false), shown(true)]).toEqual([["Good frame", "10.4", "Usable"], ["Good frame"]]);
});
