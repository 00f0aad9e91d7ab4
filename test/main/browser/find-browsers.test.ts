import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { findBrowsers } from "../../../main/browser/find-browsers.ts";
import { folderForTest } from "../../fixtures/folders.ts";

it.each([
  [
    "linux",
    { PATH: "/usr/local/bin:/usr/bin" },
    ["/usr/bin/chromium", "/usr/bin/microsoft-edge", "/usr/bin/firefox"],
    [
      ["Edge", "/usr/bin/microsoft-edge"],
      ["Chromium", "/usr/bin/chromium"],
    ],
  ],
  [
    "win32",
    { ProgramFiles: "C:\\Program Files", "ProgramFiles(x86)": "C:\\Program Files (x86)" },
    ["C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"],
    [["Edge", "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"]],
  ],
  [
    "darwin",
    { HOME: "/Users/vet" },
    ["/Users/vet/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    [["Chrome", "/Users/vet/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]],
  ],
  ["linux", {}, ["chromium"], []],
] as const)("finds the installed browsers of %s in order of preference", (platform, environment, installed, found) => {
  const isUsable = (file: string) => installed.some((one) => one === file);
  expect(findBrowsers({ platform, environment }, isUsable).map(({ name, file }) => [name, file])).toEqual(found);
});

it.skipIf(process.platform === "win32")("does not use a browser that is a snap", () => {
  const folder = folderForTest();
  const chromium = path.join(folder, "chromium");
  const install = (program: string) => {
    writeFileSync(path.join(folder, program), "", { mode: 0o755 });
    symlinkSync(path.join(folder, program), chromium);
  };
  const found = () => findBrowsers({ platform: "linux", environment: { PATH: folder } }).map(({ file }) => file);
  install("snap");
  expect(found()).toEqual([]);
  rmSync(chromium);
  install("chrome");
  expect(found()).toEqual([chromium]);
});
