import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { InstallerFile } from "../../../core/updates/release-statement.ts";
import { programVersion } from "../../../main/program.ts";
import { openRelease } from "../../../main/services/updates/signed-release.ts";
import { openUpdateFile } from "../../../main/services/updates/update-file.ts";
import { makeRelease } from "../../../tools/packaging/release/make-release.ts";
import { changesOf } from "../../../tools/packaging/release/release-files.ts";
import { builderSettings } from "./builder-settings.ts";
import { makePublisher, migrations } from "../../fixtures/updates/releases.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const { privateKey, publicKey } = makePublisher();
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const made = { share: 0.25, privateKey: pem, keys: [publicKey] };
/** electron-builder's file name on x64. */
const { deb } = await builderSettings();
const debianName = deb.artifactName.replace("${version}", "1.0.0").replace("${arch}", "amd64").replace("${ext}", "deb");
const installers = {
  "Corvet Setup 1.0.0.exe": { platform: "win32", arch: "x64", kind: "nsis" },
  "Corvet-1.0.0-arm64-mac.zip": { platform: "darwin", arch: "arm64", kind: "zip" },
  "Corvet-1.0.0-mac.zip": { platform: "darwin", arch: "x64", kind: "zip" },
  "Corvet-1.0.0.AppImage": { platform: "linux", arch: "x64", kind: "AppImage" },
  [debianName]: { platform: "linux", arch: "x64", kind: "deb" },
} as const satisfies Record<string, Partial<InstallerFile>>;

const folder = folderForEach();

it("signs a statement with the hashes of all installers and creates an update file for each", async () => {
  for (const name of [...Object.keys(installers), "Corvet-1.0.0.dmg", "corvet_1.0.0_amd64.deb", "SHA256SUMS-Linux"])
    writeFileSync(path.join(folder(), name), `bytes of ${name}`);
  const written = await makeRelease(folder(), made);
  const release = openRelease(readFileSync(path.join(folder(), "corvet-release.json")), [publicKey]);
  expect(release).toMatchObject({ version: programVersion, share: 0.25, migrations });
  expect(
    Object.fromEntries(release.files.map(({ name, platform, arch, kind }) => [name, { platform, arch, kind }])),
  ).toEqual(installers);
  expect(release.changes.length).toBeGreaterThan(100);
  expect(written).toHaveLength(6);
  for (const target of Object.values(installers)) {
    const name = `Corvet-${programVersion}-${target.platform}-${target.arch}-${target.kind}.corvet-update`;
    const update = await openUpdateFile(path.join(folder(), name), [publicKey], target);
    const { name: file } = update.release.files.find((each) => each.kind === target.kind && each.arch === target.arch)!;
    const lent = await fetch(new URL(encodeURIComponent(file), update.address));
    expect(await lent.text()).toBe(`bytes of ${file}`);
    expect((await fetch(new URL(`/${encodeURIComponent(file)}`, update.address))).status).toBe(404);
    await update.close();
  }
});

it("rejects a key of another kind, an unknown key and a folder without an installer, and writes nothing", async () => {
  await expect(makeRelease(folder(), made)).rejects.toThrow(/no installer/);
  writeFileSync(path.join(folder(), "Corvet-1.0.0.AppImage"), "x");
  await expect(makeRelease(folder(), { ...made, keys: [makePublisher().publicKey] })).rejects.toThrow(/is not one of/);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });
  for (const privateKey of ["no key", String(other)])
    await expect(makeRelease(folder(), { ...made, privateKey })).rejects.toThrow(/must be an Ed25519 key in PEM/);
  expect(readdirSync(folder())).toEqual(["Corvet-1.0.0.AppImage"]);
});

it("extracts the changes of one version from the changelog", () => {
  const changelog = "# Changelog\n\n## [1.1.0] - 2026-12-01\n\n- New\n\n## [1.0.0] - 2026-11-22\n\n- Old\n";
  expect([changesOf(changelog, "1.1.0"), changesOf(changelog, "1.0.0"), changesOf(changelog, "2.0.0")]).toEqual([
    "- New",
    "- Old",
    "",
  ]);
});
