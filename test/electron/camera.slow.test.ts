import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fakeCamera } from "../end-to-end/fake-camera.ts";
import { call, driver, launch, makeDataDir, removeDataDir } from "./electron-program.ts";

it(`measures a screen that the camera of ${driver} sees`, async () => {
  const dataDir = await makeDataDir();
  const photographs = [1, 2, 3].map((number) => path.resolve(`test/fixtures/session/frame-${number}.jpg`));
  const program = await launch({ dataDir, chromium: await fakeCamera(photographs) });
  onTestFinished(async () => {
    await program.end();
    removeDataDir(dataDir);
  });
  const page = await program.page();
  await call(page, "settings.save", { language: "en" });
  await page.keyboard.press("Alt+4");
  await page.getByTestId("outline").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("Photograph of a screen, rectified").waitFor();
  const { films } = await call(page, "films.list", {});
  expect(films).toMatchObject([{ origin: "capture", state: "done", reading: { source: "model" } }]);
});
