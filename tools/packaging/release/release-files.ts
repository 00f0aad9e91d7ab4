import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import path from "node:path";
import type { InstallerFile } from "../../../core/updates/release-statement.ts";

/** Patterns of electron-builder's file names. Names without an architecture are x64. */
const forms = [
  { end: /\.exe$/, platform: "win32", kind: "nsis" },
  { end: /-mac\.zip$/, platform: "darwin", kind: "zip" },
  { end: /\.AppImage$/, platform: "linux", kind: "AppImage" },
  { end: /\.deb$/, platform: "linux", kind: "deb" },
] as const;

/** Other files (images for manual download, checksums, the service's package) are omitted. */
export async function listInstallers(folder: string): Promise<InstallerFile[]> {
  const found = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const form = forms.find(({ end }) => end.test(name));
      const isService = name.startsWith("corvet_");
      return form && !isService ? [{ name, platform: form.platform, kind: form.kind }] : [];
    });
  const files: InstallerFile[] = [];
  for (const { name, platform, kind } of found) {
    const file = path.join(folder, name);
    const arch = /arm64|aarch64/.test(name) ? "arm64" : "x64";
    files.push({ name, platform, arch, kind, sha512: await sha512Of(file), sizeBytes: statSync(file).size });
  }
  return files;
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(file), hash);
  return hash.digest("base64");
}

export function changesOf(changelog: string, version: string): string {
  const [, section = ""] = changelog.split(`\n## [${version}]`);
  const [changes = ""] = section.slice(section.indexOf("\n")).split("\n## [");
  return changes.trim();
}
