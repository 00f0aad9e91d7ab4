import path from "node:path";
import { expect, it } from "vitest";
import { fakeCamera } from "../end-to-end/fake-camera.ts";
import { call, driver } from "./electron-program.ts";
import { dataDirForTest, launchForTest } from "./for-tests.ts";

it(`measures a screen that the camera of ${driver} sees`, async () => {
  const photographs = [1, 2, 3].map((number) => path.resolve(`test/fixtures/session/frame-${number}.jpg`));
  const program = await launchForTest({ dataDir: await dataDirForTest(), chromium: await fakeCamera(photographs) });
  const page = await program.page();
  await call(page, "settings.save", { language: "en" });
  await page.keyboard.press("Alt+4");
  await page.getByTestId("outline").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("Photograph of a screen, rectified").waitFor();
  const { films } = await call(page, "films.list", {});
  expect(films).toMatchObject([{ origin: "capture", state: "done", reading: { source: "model" } }]);
});
