import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it, vi } from "vitest";
import sharp from "sharp";
import { builderConfig } from "../../../tools/packaging/builder-config.ts";
import { missingSignatures } from "../../../tools/packaging/signing.ts";
import { builderSettings } from "./builder-settings.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const require = createRequire(import.meta.url);
const fromBuilder = createRequire(require.resolve("electron-builder"));
const { validateConfiguration } = fromBuilder("app-builder-lib/out/util/config/config.js") as {
  validateConfiguration(config: object, log: object): Promise<void>;
};
const debugLog = { isEnabled: false, add: () => undefined };
const folder = "build/icons";

it("is valid according to electron-builder's schema", async () => {
  await expect(validateConfiguration(await builderSettings(), debugLog)).resolves.toBeUndefined();
});

it("builds a per-user installer, a notarised image and zip, an AppImage and a Debian package", async () => {
  expect(await builderSettings()).toMatchObject({
    win: { target: ["nsis"] },
    nsis: { perMachine: false, oneClick: true, deleteAppDataOnUninstall: false, include: "build/installer.nsh" },
    mac: { target: ["dmg", "zip"], hardenedRuntime: true, notarize: true },
    linux: { target: ["AppImage", "deb"] },
    protocols: [{ schemes: ["corvet"] }],
  });
  expect(await builderSettings()).toMatchObject({
    linux: { mimeTypes: expect.arrayContaining(["x-scheme-handler/corvet"]) },
  });
});

it("names package and command of the desktop program differently from those of the service", async () => {
  const names = { linux: { executableName: "corvet-desktop" }, deb: { packageName: "corvet-desktop" } };
  expect(await builderSettings()).toMatchObject(names);
});

const compilesNsis = existsSync("/usr/bin/makensis");
it.runIf(compilesNsis)(
  `compiles the additions to the Windows installer without warnings${compilesNsis ? "" : " (skipped: nsis is missing)"}`,
  () => {
    const folderOfScript = folderForTest();
    const script = path.join(folderOfScript, "around.nsi");
    writeFileSync(script, nsisAround(path.resolve("build/installer.nsh"), path.join(folderOfScript, "corvet.exe")));
    const { status, stdout } = spawnSync("makensis", ["-WX", script], { encoding: "utf8" });
    expect([status, stdout.includes("warning")], stdout).toEqual([0, false]);
  },
);

const nsisAround = (included: string, output: string) => `Unicode true
!include LogicLib.nsh
!define APP_EXECUTABLE_FILENAME "Corvet.exe"
!define PRODUCT_NAME "Corvet"
!define APP_ID "vet.corvet.desktop"
!define isUpdated \`"" != ""\`
!include "${included}"
OutFile "${output}"
InstallDir "$LOCALAPPDATA\\Programs\\Corvet"
RequestExecutionLevel user
Section
  SetShellVarContext current
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Section un.install
  SetShellVarContext current
  !insertmacro customUnInstall
SectionEnd
`;

it.each([16, 24, 32, 48, 64, 128, 256, 512, 1024])("has an icon of %d px", async (sizePx) => {
  expect(await sharp(`${folder}/${sizePx}x${sizePx}.png`).metadata()).toMatchObject({ width: sizePx, height: sizePx });
});

it("has valid icon files for Windows and macOS", async () => {
  const ico = readFileSync(`${folder}/icon.ico`);
  const count = ico.readUInt16LE(4);
  const widths = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const entry = 6 + 16 * index;
      const from = ico.readUInt32LE(entry + 12);
      return sharp(ico.subarray(from, from + ico.readUInt32LE(entry + 8))).metadata();
    }),
  );
  expect(widths.map(({ width }) => width)).toEqual([16, 24, 32, 48, 64, 128, 256]);
  const icns = readFileSync(`${folder}/icon.icns`);
  expect([icns.subarray(0, 4).toString(), icns.readUInt32BE(4)]).toEqual(["icns", icns.length]);
  const types: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) types.push(icns.subarray(at, at + 4).toString());
  expect(types).toEqual(["icp4", "icp5", "ic11", "ic12", "ic07", "ic08", "ic13", "ic09", "ic14", "ic10"]);
});

it("refuses an unsigned release and names the missing parts", () => {
  expect(missingSignatures("win32", {})).toEqual([
    "set WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD, or CSC_LINK and CSC_KEY_PASSWORD",
  ]);
  expect(missingSignatures("darwin", { CSC_NAME: "Developer ID" })).toHaveLength(1);
  expect(
    missingSignatures("darwin", { CSC_NAME: "Developer ID", APPLE_KEYCHAIN: "k", APPLE_KEYCHAIN_PROFILE: "p" }),
  ).toEqual([]);
  expect(missingSignatures("win32", { WIN_CSC_LINK: "a", WIN_CSC_KEY_PASSWORD: "" })).toHaveLength(1);
  expect(missingSignatures("linux", {})).toEqual([]);
});

it("signs the packs in afterPack, before the code is signed and installers are built", async () => {
  const output = folderForTest();
  const packs = path.join(output, "packs");
  const pack = readdirSync("models/packs")[0] ?? "";
  cpSync(path.join("models/packs", pack), path.join(packs, pack), { recursive: true });
  const { privateKey } = generateKeyPairSync("ed25519");
  vi.stubEnv("CORVET_PACK_SIGNING_KEY", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  const onSigned = vi.fn();
  const { afterPack } = builderConfig({
    ...{ output, packs, onSigned },
    ...{ electronDist: "", electronVersion: "", isRelease: false },
  });
  await (afterPack as () => Promise<void>)();
  vi.unstubAllEnvs();
  expect(onSigned.mock.calls).toMatchObject([[{ said: expect.stringContaining("1 packs signed") as string }]]);
  expect(readdirSync(path.join(packs, pack))).toContain("signature.json");
});
