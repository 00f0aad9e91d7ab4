import { expect, it } from "vitest";
import { findBrowsers } from "../../../main/browser/find-browsers.ts";

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
