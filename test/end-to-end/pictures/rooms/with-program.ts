import type { Page } from "playwright-core";
import { startBrowser, startProgram, type ProgramProcess } from "../../program.ts";
import type { Camera } from "../camera.ts";

type Options = {
  readonly program?: Parameters<typeof startProgram>[0];
  readonly browser?: readonly string[];
  readonly permissions?: string[];
};

export async function withProgram(
  camera: Camera,
  options: Options,
  look: (page: Page, program: ProgramProcess) => Promise<void>,
): Promise<void> {
  const program = await startProgram(options.program);
  const browser = await startBrowser(options.browser);
  try {
    const { permissions } = options;
    const { page } = await camera.open(browser, program.pageUrl, permissions ? { permissions } : {});
    await look(page, program);
  } finally {
    await browser.close();
    await program.stop();
  }
}
