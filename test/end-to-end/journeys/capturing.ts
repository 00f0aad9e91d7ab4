import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, type TestContext } from "vitest";
import { ask, fixture, openWindow, startBrowser, type Program } from "../program.ts";

/** Three photographs after one another, shown over and over: what Chromium's fake camera plays. */
function fakeCamera(photograph: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "corvet-camera-")), "camera.mjpeg");
  const frame = readFileSync(fixture(`screens/${photograph}`));
  writeFileSync(file, Buffer.concat([frame, frame, frame]));
  return file;
}

const cameraArguments = (file: string) => ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--use-file-for-fake-video-capture=${file}`];

/** Photographing a screen, with the browser's fake camera. */
export function capturingJourneys(program: () => Program, newAddress: () => Promise<string>): void {
  const withCamera = async (context: TestContext, photograph: string, journey: (window: Awaited<ReturnType<typeof openWindow>>) => Promise<void>) => {
    const browser = await startBrowser(cameraArguments(fakeCamera(photograph)));
    try {
      const window = await openWindow(browser, await newAddress(), { permissions: ["camera"] });
      const health = await ask(window.page, "app.health", {});
      if (!health.isPopEnabled) context.skip(`no pack for photographs of screens is loaded by ${program().origin}`);
      await window.page.keyboard.press("Alt+4");
      await journey(window);
      expect(window.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  };

  test("a photographed screen gives a reading on the rectified film, or says why not; frames are counted", async (context) => {
    await withCamera(context, "screen-01.jpg", async ({ page }) => {
      await page.getByRole("combobox", { name: "Camera" }).waitFor();
      await page.getByRole("button", { name: "Start" }).click();
      const state = page.getByTestId("capture-state");
      await state.waitFor();
      const isDone = page.getByTestId("vhs").locator("small").waitFor({ timeout: 60_000 }).then(() => "complete");
      const isFailed = page.locator("[data-testid=capture-state][data-status=failed]").waitFor({ timeout: 60_000 }).then(() => "failed");
      const outcome = await Promise.any([isDone, isFailed]);
      for (const late of [isDone, isFailed]) late.catch(() => undefined);
      console.log(`the fake camera's screen ended as ${outcome}`);
      if (outcome === "complete") {
        await page.getByText("Photograph of a screen, rectified").waitFor();
      } else {
        expect(await page.getByTestId("frames").innerText()).toMatch(/Frame \d+ of 20/);
        await page.getByRole("button", { name: "Retake" }).click();
        await page.locator("[data-testid=capture-state]:not([data-status=failed])").waitFor();
      }
    });
  });
}
