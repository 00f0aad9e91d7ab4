import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfWelcome(camera: Camera): Promise<void> {
  await withProgram(camera, { program: { isFirstRun: true } }, async (page) => {
    await page.getByRole("region", { name: "Set up your practice" }).waitFor();
    await camera.take(page, "welcome-empty");
    await page.getByRole("button", { name: "Load the sample study" }).click();
    await page
      .getByTestId("film")
      .filter({ hasText: /\d+\.\d v/ })
      .nth(1)
      .waitFor();
    await camera.take(page, "welcome-sample");
  });
}
