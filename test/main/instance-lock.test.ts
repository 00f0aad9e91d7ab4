import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isDataDirTaken, lockDataDir } from "../../main/instance-lock.ts";
import { folderForTest } from "../fixtures/folders.ts";

it("removes other users' write access to the folder, and refuses a folder shared on purpose", ({ skip }) => {
  if (process.platform === "win32") skip("Windows has no such permissions");
  const dataDir = folderForTest();
  chmodSync(dataDir, 0o777);
  lockDataDir(dataDir).release();
  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  chmodSync(dataDir, 0o1777);
  expect(() => lockDataDir(dataDir)).toThrow(`Other users can write to ${dataDir}`);
  expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
});

it("locks a data directory whose lock file is damaged, and excludes a second program", () => {
  const dataDir = folderForTest();
  writeFileSync(path.join(dataDir, "corvet.lock"), "what a disk put here ".repeat(500));
  expect(isDataDirTaken(dataDir)).toBe(false);
  const lock = lockDataDir(dataDir);
  onTestFinished(() => lock.release());
  expect(() => lockDataDir(dataDir)).toThrow(expect.objectContaining({ code: "STORE_BUSY" }));
  expect(isDataDirTaken(dataDir)).toBe(true);
});

it("locks a data directory without writing, so that a full disk does not prevent a start", () => {
  const dataDir = folderForTest();
  const lock = lockDataDir(dataDir);
  onTestFinished(() => lock.release());
  expect(existsSync(path.join(dataDir, "corvet.lock-journal"))).toBe(false);
  expect(statSync(path.join(dataDir, "corvet.lock")).size).toBe(0);
});

it("distinguishes an unusable data directory from one in use", () => {
  const folder = folderForTest();
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  for (const dataDir of [file, path.join(file, "below")])
    expect(() => lockDataDir(dataDir)).toThrow(expect.objectContaining({ code: "STORE_UNAVAILABLE" }));
  mkdirSync(path.join(folder, "corvet.lock"));
  expect(() => lockDataDir(folder)).toThrow(expect.objectContaining({ code: "STORE_UNAVAILABLE" }));
});

it("excludes a second program until the first one ends, even if its lock file was deleted", async () => {
  const dataDir = folderForTest();
  const first = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
  onTestFinished(() => void first.kill());
  const announced = { url: "https://localhost:7443", port: 7443, pid: first.pid, authority: "authority.pem" };
  writeFileSync(path.join(dataDir, "server.json"), JSON.stringify(announced));
  expect(isDataDirTaken(dataDir)).toBe(true);
  expect(() => lockDataDir(dataDir)).toThrow(expect.objectContaining({ code: "STORE_BUSY" }));
  first.kill();
  await once(first, "exit");
  lockDataDir(dataDir).release();
});

it("releases a data directory whose server.json cannot be removed", () => {
  const dataDir = folderForTest();
  mkdirSync(path.join(dataDir, "server.json"));
  lockDataDir(dataDir).release();
  expect(isDataDirTaken(dataDir)).toBe(false);
});
