// Needs its own process: mocks a module
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { openElectronUpdates } from "../../../main/app/updates/electron-updates.ts";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { makePublisher, releaseOf, writeUpdateFile } from "../../fixtures/updates/releases.ts";
import { launchProgram, type LaunchedProgram } from "./launch-program.ts";
import { patience } from "../../fixtures/patience.ts";

// The program under a stand-in for Electron; of the updater only what it is told to do.
const told = vi.hoisted(() => ({
  keys: [] as string[],
  chosen: "",
  installs: [] as boolean[],
  fail: () => undefined as unknown,
}));
vi.mock("../../../main/services/updates/release-origin.ts", async (original) => ({
  ...(await original<object>()),
  releaseKeys: told.keys,
}));
vi.mock("../../../main/app/updates/electron-updates.ts", () => ({
  openElectronUpdates: ((_log, { onFault, restart }) => {
    told.fail = onFault;
    return Promise.resolve({
      target: { platform: "linux", arch: process.arch === "arm64" ? "arm64" : "x64", kind: "AppImage" },
      fetch: () => Promise.reject(new Error("no web here")),
      prepare: () => Promise.resolve(),
      stop: () => undefined,
      restart,
      chooseFile: () => Promise.resolve(told.chosen),
      install: (isRestarting) => void told.installs.push(isRestarting),
    });
  }) satisfies typeof openElectronUpdates,
}));

const folder = mkdtempSync(path.join(tmpdir(), "corvet-restarting-"));
const publisher = makePublisher();
told.keys.push(publisher.publicKey);
let program: LaunchedProgram;
let standIn: typeof StandIn;
const call = (channel: string, request: unknown = {}) => {
  const page = standIn.BrowserWindow.opened.at(-1)!.webContents;
  return standIn.ipcHandlers.get(channel)!({ senderFrame: page.mainFrame, sender: page }, request);
};

beforeAll(async () => {
  standIn = (await import("electron")) as unknown as typeof StandIn;
  program = await launchProgram();
  const bytes = Buffer.from("an installer");
  told.chosen = path.join(folder, "Corvet.corvet-update");
  await writeUpdateFile(told.chosen, releaseOf(bytes), publisher.privateKey, bytes);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(program.dataDir, { recursive: true, force: true });
});

it("starts again after a restart that installs what lies ready, whether the installer runs or not", async () => {
  expect(await call("updates.openFile")).toMatchObject({ ok: true, value: { phase: "ready" } });
  // The first backup of a start is work under way, which comes before an update.
  const isWaiting = { value: { outcome: { reason: "unsaved" } } };
  await vi.waitFor(
    async () => expect(await call("updates.install", { isUnsaved: true })).toMatchObject(isWaiting),
    patience,
  );
  expect(await call("database.restart")).toMatchObject({ ok: true });
  await vi.waitFor(() => expect(told.installs).toEqual([true]), patience);
  told.fail();
  const ending = standIn.recorded.map(({ name }) => name).filter((name) => ["relaunch", "exit"].includes(name));
  expect(ending).toEqual(["relaunch", "exit"]);
});
