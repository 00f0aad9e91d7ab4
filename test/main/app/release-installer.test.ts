import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { AppUpdater } from "electron-updater";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Fixture from "../../fixtures/updates/electron-for-updater.ts";
import { openFeed, releaseOf } from "../../fixtures/updates/releases.ts";
import { folderForEach } from "../../fixtures/folders.ts";

/** The real electron-updater without Electron. Cannot test what Windows and macOS do with a started installer. */
const stand = pathToFileURL(path.resolve("test/fixtures/updates/electron-for-updater.ts")).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === "electron" ? { url: stand, format: "module", shortCircuit: true } : next(name, context),
});
const load = createRequire(import.meta.url);
const fixture = load("electron") as typeof Fixture;
const updaters = load("electron-updater") as Record<
  "AppImageUpdater" | "NsisUpdater" | "MacUpdater",
  new () => AppUpdater
>;
const { createReleaseInstaller } = await import("../../../main/app/updates/release-installer.ts");

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const folder = folderForEach();
let files: Map<string, Uint8Array>;
let feed: Awaited<ReturnType<typeof openFeed>>;
const kept = { APPIMAGE: process.env["APPIMAGE"], XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] };

beforeAll(() => Object.defineProperty(process, "resourcesPath", { configurable: true, get: () => folder() }));
beforeEach(async () => {
  fixture.folders.userData = folder();
  fixture.asked.length = 0;
  process.env["XDG_CACHE_HOME"] = path.join(folder(), "cache");
  process.env["APPIMAGE"] = path.join(folder(), "Corvet.AppImage");
  writeFileSync(process.env["APPIMAGE"], script("old"), { mode: 0o755 });
  writeFileSync(path.join(folder(), "app-update.yml"), "provider: generic\nupdaterCacheDirName: corvet-updater\n");
  files = new Map();
  feed = await openFeed(files);
});
afterEach(async () => {
  await feed.close();
});
afterAll(async () => {
  // A started installer requires Electron one turn of the event loop later.
  await setImmediate();
  hooks.deregister();
  Object.assign(process.env, kept);
});

const script = (name: string) =>
  `#!/bin/sh\nprintf '%s' "$APPIMAGE_SILENT_INSTALL/$APPIMAGE_EXIT_AFTER_INSTALL $*" > "$(dirname "$0")/ran.tmp"\nmv "$(dirname "$0")/ran.tmp" "$(dirname "$0")/ran-${name}"\n`;
const offer = (bytes: string, named: Parameters<typeof releaseOf>[1] = {}) => {
  const {
    files: [file],
    version,
  } = releaseOf(Buffer.from(bytes), named);
  files.set(file!.name, Buffer.from(bytes));
  return { version, file: file! };
};
const fetchBy = async (
  installer: ReturnType<typeof createReleaseInstaller>,
  { version, file }: ReturnType<typeof offer>,
) => {
  const fetched: number[] = [];
  await installer.prepare(version, file, `${feed.address}/`, (share) => fetched.push(share));
  return fetched;
};
const onFault = () => void fixture.asked.push("fault");

describe("an AppImage", () => {
  const open = () => createReleaseInstaller(log, onFault, new updaters.AppImageUpdater());

  it("is replaced by the downloaded release, which is started", async () => {
    const installer = open();
    expect(installer.target).toEqual({ platform: "linux", arch: process.arch, kind: "AppImage" });
    expect((await fetchBy(installer, offer(script("new")))).at(-1)).toBe(1);
    expect(readFileSync(process.env["APPIMAGE"]!, "utf8")).toBe(script("old"));
    installer.install(true);
    expect(readFileSync(process.env["APPIMAGE"]!, "utf8")).toBe(script("new"));
    await expect.poll(() => existsSync(path.join(folder(), "ran-new"))).toBe(true);
    expect(readFileSync(path.join(folder(), "ran-new"), "utf8")).toBe("true/ ");
    await expect.poll(() => fixture.asked).toContain("quit");
    expect(feed.asked.map(({ path: asked, headers }) => [asked, headers["x-user-staging-id"]])).toEqual([
      ["/releases/Corvet-9.9.9.AppImage", undefined],
    ]);
  });

  it("is replaced when the program ends, without a start of the release", async () => {
    const installer = open();
    await fetchBy(installer, offer(script("new")));
    installer.install(false);
    expect(readFileSync(path.join(folder(), "ran-new"), "utf8")).toBe("true/true ");
  });

  it("is kept if the download differs from the signed hash, and replaced by a later correct download", async () => {
    const installer = open();
    const offered = offer(script("new"));
    files.set(offered.file.name, Buffer.from(script("bad")));
    await expect(fetchBy(installer, offered)).rejects.toThrow(/sha512 checksum mismatch/);
    files.set(offered.file.name, Buffer.from(script("new").slice(0, -1)));
    await expect(fetchBy(installer, offered)).rejects.toThrow(/sha512 checksum mismatch/);
    files.delete(offered.file.name);
    await expect(fetchBy(installer, offered)).rejects.toThrow(/404/);
    expect(readFileSync(process.env["APPIMAGE"]!, "utf8")).toBe(script("old"));
    files.set(offered.file.name, Buffer.from(script("new")));
    await fetchBy(installer, offered);
    installer.install(false);
    expect(readFileSync(process.env["APPIMAGE"]!, "utf8")).toBe(script("new"));
  });

  it("can be replaced by an older release", async () => {
    const installer = open();
    const { file } = offer(script("older"), { name: "Corvet-0.9.0.AppImage" });
    await fetchBy(installer, { version: "0.9.0", file });
    installer.install(false);
    expect(readFileSync(process.env["APPIMAGE"]!, "utf8")).toBe(script("older"));
  });

  it("is no target if the program was not started from one", () => {
    delete process.env["APPIMAGE"];
    expect(open().target).toBeNull();
  });
});

it("starts the Windows installer silently, followed by the program", async () => {
  const installer = createReleaseInstaller(log, onFault, new updaters.NsisUpdater());
  expect(installer.target).toMatchObject({ platform: "win32", kind: "nsis" });
  await fetchBy(installer, offer(script("setup"), { name: "Corvet Setup 9.9.9.exe", kind: "nsis", platform: "win32" }));
  const pending = path.join(folder(), "cache", "corvet-updater", "pending");
  // Needed only because the test runs on Unix.
  chmodSync(path.join(pending, "Corvet Setup 9.9.9.exe"), 0o755);
  installer.install(true);
  await expect.poll(() => existsSync(path.join(pending, "ran-setup"))).toBe(true);
  expect(readFileSync(path.join(pending, "ran-setup"), "utf8")).toBe("/ --updated /S --force-run");
  await expect.poll(() => fixture.asked).toContain("quit");
});

it("calls onFault if the installer cannot be started", async () => {
  const installer = createReleaseInstaller(log, onFault, new updaters.NsisUpdater());
  mkdirSync(path.join(folder(), "cache"), { recursive: true });
  installer.install(true);
  expect(fixture.asked).toEqual(["fault"]);
});

it("passes the verified image to the updater of macOS", async () => {
  const installer = createReleaseInstaller(log, onFault, new updaters.MacUpdater());
  expect(installer.target).toMatchObject({ platform: "darwin", kind: "zip" });
  const zip = "bytes of an image";
  await fetchBy(installer, offer(zip, { name: "Corvet-9.9.9-mac.zip" }));
  installer.install(true);
  await expect.poll(() => fixture.asked).toContain("quitAndInstall");
  expect(fixture.asked).not.toContain("fault");
  expect(fixture.autoUpdater.fetched?.toString()).toBe(zip);
});
