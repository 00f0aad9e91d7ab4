import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { folderForTest } from "../../fixtures/folders.ts";
import { relaunchProgram } from "../../../main/app/relaunch-program.ts";

const args = ["--data-dir=/Praxis Müller", "--port=0"];

it("relaunches Electron with the arguments of the restart", () => {
  const app = { relaunch: vi.fn(), releaseSingleInstanceLock: vi.fn() };
  relaunchProgram(app, args, {});
  expect(app.relaunch.mock.calls).toEqual([[{ args }]]);
  expect(app.releaseSingleInstanceLock).not.toHaveBeenCalled();
});

it.skipIf(process.platform === "win32")("starts the file of an AppImage after releasing the lock", async () => {
  const folder = path.join(folderForTest(), "corvet image");
  mkdirSync(folder);
  const [image, started] = [path.join(folder, "Corvet.AppImage"), path.join(folder, "started")];
  writeFileSync(image, `#!/bin/sh\nprintf '%s|' "$@" > "${started}.new"; mv "${started}.new" "${started}"\n`, {
    mode: 0o755,
  });
  const app = { relaunch: vi.fn(), releaseSingleInstanceLock: vi.fn() };
  relaunchProgram(app, args, { APPIMAGE: image });
  expect([app.relaunch.mock.calls.length, app.releaseSingleInstanceLock.mock.calls.length]).toEqual([0, 1]);
  await expect.poll(() => existsSync(started)).toBe(true);
  expect(readFileSync(started, "utf8")).toBe(`${args.join("|")}|`);
});

it("quits without a restart if the file of the AppImage was moved", async () => {
  const app = { relaunch: vi.fn(), releaseSingleInstanceLock: vi.fn() };
  relaunchProgram(app, args, { APPIMAGE: path.join(tmpdir(), "no-such.AppImage") });
  // The error follows on the next tick; without a listener, it would end the test's process.
  await setImmediate();
  expect(app.relaunch).not.toHaveBeenCalled();
});
