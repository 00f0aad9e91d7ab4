// Needs its own process: mocks a module
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { makePublisher, releaseOf, writeUpdateFile } from "../../fixtures/updates/releases.ts";
import { launchProgram, type LaunchedProgram } from "./launch-program.ts";
import { patience } from "../../fixtures/patience.ts";

// The whole way under a stand-in for Electron: the program as it is packaged, a file chosen in the dialog, the real
// electron-updater, a real end of the service, and an AppImage that is another one afterwards.
const keys = vi.hoisted((): string[] => []);
vi.mock("../../../main/services/updates/release-origin.ts", async (original) => ({
  ...(await original<object>()),
  releaseKeys: keys,
}));
const publisher = makePublisher();
keys.push(publisher.publicKey);
const stand = pathToFileURL(path.resolve("test/fixtures/updates/electron-for-updater.ts")).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === "electron" ? { url: stand, format: "module", shortCircuit: true } : next(name, context),
});

const folder = mkdtempSync(path.join(tmpdir(), "corvet-updating-"));
const appImage = path.join(folder, "Corvet.AppImage");
const installer = Buffer.from('#!/bin/sh\ntouch "$(dirname "$0")/started"\n');
const kept = { APPIMAGE: process.env["APPIMAGE"], XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] };
let program: LaunchedProgram;
let standIn: typeof StandIn;
const call = async (channel: string, request: unknown = {}): Promise<UpdateState> => {
  const page = standIn.BrowserWindow.opened.at(-1)!.webContents;
  const answer = await standIn.ipcHandlers.get(channel)!({ senderFrame: page.mainFrame, sender: page }, request);
  expect(answer).toMatchObject({ ok: true });
  return (answer as { value: UpdateState }).value;
};

beforeAll(async () => {
  writeFileSync(appImage, "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(path.join(folder, "app-update.yml"), "provider: generic\nupdaterCacheDirName: corvet-updater\n");
  symlinkSync(path.resolve("models/packs"), path.join(folder, "packs"));
  Object.defineProperty(process, "resourcesPath", { configurable: true, value: folder });
  process.env["APPIMAGE"] = appImage;
  process.env["XDG_CACHE_HOME"] = path.join(folder, "cache");
  standIn = (await import("electron")) as unknown as typeof StandIn;
  standIn.app.isPackaged = true;
  program = await launchProgram();
});
afterAll(() => {
  hooks.deregister();
  Object.assign(process.env, kept);
  rmSync(folder, { recursive: true, force: true });
  rmSync(program.dataDir, { recursive: true, force: true });
});

it("takes an update from a file that the dialog names", async () => {
  const file = path.join(folder, "Corvet.corvet-update");
  standIn.dialogAnswers.filePaths = [
    await writeUpdateFile(file, releaseOf(installer), publisher.privateKey, installer),
  ];
  expect(await call("updates.get")).toMatchObject({ whyNot: null, feed: null });
  expect(await call("updates.openFile")).toMatchObject({ phase: "ready", release: { version: "9.9.9" } });
  expect(readFileSync(appImage, "utf8")).toBe("#!/bin/sh\n");
});

it("stays as it is when the window asks about unsaved changes and the person stays", async () => {
  const window = standIn.BrowserWindow.opened.at(-1)!;
  window.isHoldingUnload = true;
  // The first backup of a start is work under way.
  await vi.waitFor(async () => {
    await call("updates.install", { isUnsaved: false });
    expect(standIn.recorded.at(-1)).toMatchObject({ name: "showMessageBoxSync" });
  }, patience);
  expect(await call("updates.get")).toMatchObject({ phase: "ready" });
  window.isHoldingUnload = false;
});

it("closes window and service, and then is replaced and started", async () => {
  await call("updates.install", { isUnsaved: false });
  await vi.waitFor(() => expect(existsSync(path.join(folder, "started"))).toBe(true), patience);
  expect(readFileSync(appImage).equals(installer)).toBe(true);
  expect(existsSync(path.join(program.dataDir, "server.json"))).toBe(false);
  expect(standIn.recorded.map(({ name }) => name)).not.toContain("exit");
});
