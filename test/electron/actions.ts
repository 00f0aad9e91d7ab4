import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Film } from "../../core/contract/desktop/films.ts";
import { call } from "./electron-program.ts";

export const film = (name: string): string => path.resolve("test/fixtures/films", name);

export async function dropOnWindow(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 500, y: 400, data });
  await session.detach();
}

/** Chooses a file in an input element by its path; Playwright would send the file's content. */
export async function setInputFile(page: Page, selector: string, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  await session.send("DOM.setFileInputFiles", { files: [file], nodeId });
  await session.detach();
}

export async function filmNamed(page: Page, name: string): Promise<Film | undefined> {
  const { films } = await call(page, "films.list", { search: name });
  return films[0];
}

export async function measuredFilm(page: Page, name: string): Promise<Film> {
  await expect.poll(async () => (await filmNamed(page, name))?.state).toBe("done");
  return (await filmNamed(page, name))!;
}

export function pidOfService(dataDir: string): number | null {
  const file = path.join(dataDir, "server.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid : null;
}
