import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { shownScore } from "../../../core/cardiac/shown-score.ts";
import { keepOrder } from "../../fixtures/keep-order.ts";
import { fakeCamera } from "../fake-camera.ts";
import { createPatient } from "../actions.ts";
import { openProgram, type OpenedProgram } from "../open-program.ts";
import { ask, fixture, openWindow, startBrowser, type Window } from "../program.ts";
import { filmOfSession } from "../../fixtures/truth.ts";

const photographs = [1, 2, 3].map((number) => fixture(`session/frame-${number}.jpg`));

let program: OpenedProgram;
let browser: Browser;
let window: Window;

keepOrder();
beforeAll(async () => {
  const camera = await fakeCamera(photographs);
  [program, browser] = await Promise.all([openProgram(), startBrowser(camera)]);
  window = await openWindow(browser, program.pageUrl, { permissions: ["camera"] });
  await beginAnew(window.page);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
});
afterEach(() => expect(window.complaints.splice(0)).toEqual([]));

async function beginAnew(page: Page): Promise<void> {
  await page.keyboard.press("Alt+1");
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  await page.keyboard.press("Alt+4");
  await page.getByRole("combobox", { name: "Camera" }).waitFor();
}

test("outlines a photographed screen, and measures the rectified film after three good frames", async () => {
  const { page } = window;
  await page.getByTestId("outline").waitFor();
  const frieda = await createPatient(page, "Frieda", { owner: "C. Lang" });
  await page.getByText("Patient: No patient").waitFor();
  await page.getByRole("button", { name: "Choose a patient" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Frieda/ })
    .first()
    .click();
  await page.getByText("Patient: Frieda").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByTestId("capture-state").waitFor();
  await page.getByText("Photograph of a screen, rectified").waitFor();
  const { films } = await ask(page, "films.list", {});
  const film = films.find(({ origin }) => origin === "capture");
  const { vhs, vlas } = filmOfSession;
  // Within half a vertebra, as a photograph of a screen is less accurate than a film.
  expect(film).toMatchObject({
    state: "done",
    patient: { id: frieda.id },
    reading: {
      vhs: expect.closeTo(vhs, 0),
      vlas: expect.closeTo(vlas, 0),
      facts: { tier: expect.stringMatching(/^(optimal|good)$/) },
      source: "model",
      verdict: null,
    },
  });
  expect(await page.getByTestId("vhs").innerText()).toContain(shownScore(film!.reading!.vhs!).toFixed(1));
});

test("ends the session when the camera is unplugged, and tells a camera in use from a missing one", async () => {
  const { page } = window;
  await beginAnew(page);
  const camera = page.getByRole("combobox", { name: "Camera" });
  await expect.poll(() => camera.inputValue()).not.toBe("");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByTestId("capture-state").waitFor();
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    const { mediaDevices } = navigator;
    const { getUserMedia } = mediaDevices;
    mediaDevices.getUserMedia = () => {
      Object.assign(mediaDevices, { getUserMedia });
      return Promise.reject(new DOMException("Could not start video source", "NotReadableError"));
    };
    // The event by which the browser reports an unplugged camera.
    const [track] = (video.srcObject as MediaStream).getVideoTracks();
    track?.dispatchEvent(new Event("ended"));
  });
  await page.getByText("No camera found").waitFor();
  await page.getByRole("button", { name: "Search again" }).click();
  await page.getByText("The camera is in use").waitFor();
  await page.getByRole("button", { name: "Search again" }).click();
  // The outline belongs to the picture shown now.
  await page.getByTestId("outline").waitFor();
  expect(await camera.inputValue()).not.toBe("");
});

test("uses another camera when searching again after the selected one was unplugged", async () => {
  const { page } = window;
  await beginAnew(page);
  const camera = page.getByRole("combobox", { name: "Camera" });
  await expect.poll(() => camera.inputValue()).not.toBe("");
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = (wish) =>
      JSON.stringify(wish).includes("exact")
        ? Promise.reject(new DOMException("unplugged", "NotFoundError"))
        : getUserMedia(wish);
  });
  await camera.selectOption(await camera.inputValue());
  await page.getByText("No camera found").waitFor();
  await page.getByRole("button", { name: "Search again" }).click();
  await camera.waitFor();
  await expect.poll(() => camera.inputValue()).not.toBe("");
});

test("ends the session after five unusable frames with the reason, and allows retaking it", async () => {
  const { page } = window;
  // A wall, painted again as a stream has a picture only after a change.
  await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d")!;
    context.fillStyle = "rgb(150 140 120)";
    const paint = () => {
      context.fillRect(0, 0, canvas.width, canvas.height);
      requestAnimationFrame(paint);
    };
    navigator.mediaDevices.getUserMedia = () => {
      const stream = canvas.captureStream();
      paint();
      return Promise.resolve(stream);
    };
  });
  await beginAnew(page);
  await page.getByRole("button", { name: "Start" }).click();
  const state = page.getByTestId("capture-state");
  await page.locator("[data-testid=capture-state][data-status=failed]").waitFor();
  expect(await page.getByTestId("frames").innerText()).toContain("Frame 5 of 20");
  await page.getByText("Five unusable frames in a row.").waitFor();
  await page.getByRole("button", { name: "Retake" }).click();
  await page.locator("[data-testid=capture-state]:not([data-status=failed])").waitFor();
  expect(await state.getAttribute("data-status")).toMatch(/^(ready|continue)$/);
});
