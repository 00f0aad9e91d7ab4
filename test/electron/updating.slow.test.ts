import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePublisher, releaseOf, writeUpdateFile } from "../fixtures/updates/releases.ts";
import { dropOnWindow, film, measuredFilm, pidOfService } from "./actions.ts";
import {
  answerNext,
  call,
  desktopOf,
  driver,
  isOnTwin,
  launch,
  makeDataDir,
  removeDataDir,
  type DesktopProgram,
} from "./electron-program.ts";

const script = (name: string) => `#!/bin/sh\ntouch "$(dirname "$0")/${name}-started"\n`;

// The packaged program is the checkout below a resources folder, from which only the twin can start it.
describe.runIf(isOnTwin && process.platform === "linux")(`an update of an AppImage on ${driver}`, () => {
  let dataDir: string;
  let folder: string;
  let appImage: string;
  let program: DesktopProgram;
  let page: Page;
  const isStarted = (name: "old" | "new") => existsSync(path.join(folder, `${name}-started`));
  /** Repeats the request, which is refused while the first backup after a start is in progress. */
  const installOnceIdle = (isReached: () => boolean | Promise<boolean>) =>
    expect
      .poll(async () => {
        await call(page, "updates.install", { isUnsaved: false }).catch(() => undefined);
        return await isReached();
      })
      .toBe(true);

  beforeEach(async () => {
    dataDir = await makeDataDir();
    folder = path.dirname(dataDir);
    appImage = path.join(folder, "Corvet.AppImage");
    writeFileSync(appImage, script("old"), { mode: 0o755 });
    const resources = path.join(folder, "resources");
    mkdirSync(resources);
    writeFileSync(path.join(resources, "app-update.yml"), "provider: generic\nupdaterCacheDirName: corvet-updater\n");
    symlinkSync(process.cwd(), path.join(resources, "app"));
    symlinkSync(path.resolve("models/packs"), path.join(resources, "packs"));
    const publisher = makePublisher();
    const installer = Buffer.from(script("new"));
    const update = path.join(folder, "Corvet.corvet-update");
    await writeUpdateFile(update, releaseOf(installer), publisher.privateKey, installer);
    program = await launch({
      dataDir,
      resources,
      answers: [[update]],
      environment: {
        APPIMAGE: appImage,
        XDG_CACHE_HOME: path.join(folder, "cache"),
        TRUSTED_PUBLISHER: publisher.publicKey,
        NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, "trusting-publisher.ts")).href}`,
      },
    });
    page = await program.page();
    await call(page, "settings.save", { language: "en", userName: "Dr Weber" });
    expect(await call(page, "updates.openFile", {})).toMatchObject({ phase: "ready", release: { version: "9.9.9" } });
  });
  afterEach(async () => {
    await program?.end();
    removeDataDir(dataDir);
  });

  it("can be postponed, is delayed by an unsaved correction, and is installed", async () => {
    const note = page.getByTestId("update-note");
    await note.getByRole("button", { name: "Later" }).click();
    await note.waitFor({ state: "detached" });
    expect((await call(page, "updates.get", {})).laterUntil).not.toBeNull();
    await dropOnWindow(page, [film("dog-02.jpg")]);
    await measuredFilm(page, "dog-02.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.keyboard.press("c");
    await page.locator("[data-handle=heart_bottom]").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await installOnceIdle(async () => (await desktopOf(program)).asked.at(-1)?.kind === "showMessageBoxSync");
    expect(await call(page, "updates.get", {})).toMatchObject({ phase: "ready" });
    await answerNext(program, ...Array<number>(99).fill(1));
    await installOnceIdle(() => isStarted("new"));
    expect(await program.exited).toBe(0);
    expect([readFileSync(appImage, "utf8"), isStarted("old")]).toEqual([script("new"), false]);
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(false);
  });

  it("starts the old program again if the installer fails", async () => {
    const before = pidOfService(dataDir);
    await program.inMain(() => void delete process.env["APPIMAGE"]);
    await installOnceIdle(() => (pidOfService(dataDir) ?? before) !== before);
    expect(await program.exited).toBe(0);
    process.kill(pidOfService(dataDir)!, "SIGTERM");
    await expect.poll(() => pidOfService(dataDir)).toBeNull();
    expect(readFileSync(appImage, "utf8")).toBe(script("old"));
  });
});
