import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { listPackage, statFile } from "@electron/asar";
import { documents } from "./documents.ts";
import type { PackageLayout, PackagePlatform } from "./package-layout.ts";

/** Contents of a packaged program. Names are relative to the archive or to their folder. */
export type PackageContent = {
  readonly archived: readonly string[];
  readonly unpacked: readonly string[];
  readonly packs: readonly string[];
  readonly documents: readonly string[];
  /** Chromium's texts, one file per language; empty on macOS. */
  readonly locales: readonly string[];
  readonly archiveBytes: number;
  readonly unpackedBytes: number;
  readonly packsBytes: number;
  readonly totalBytes: number;
};

export function readPackage({ folder, resources }: PackageLayout): PackageContent {
  const archive = path.join(resources, "app.asar");
  const names = listPackage(archive, { isPack: false }).map((name) => name.replaceAll("\\", "/").replace(/^\//, ""));
  const archived = names.filter((name) => !("files" in statFile(archive, name)));
  const unpackedDir = path.join(resources, "app.asar.unpacked");
  const packsDir = path.join(resources, "packs");
  const localesDir = path.join(folder, "locales");
  return {
    archived,
    unpacked: filesBelow(unpackedDir),
    packs: filesBelow(packsDir),
    documents: filesBelow(path.join(resources, "docs")),
    locales: existsSync(localesDir) ? filesBelow(localesDir) : [],
    archiveBytes: statSync(archive).size,
    unpackedBytes: bytesBelow(unpackedDir),
    packsBytes: bytesBelow(packsDir),
    totalBytes: bytesBelow(folder),
  };
}

const foreign: Readonly<Record<PackagePlatform, RegExp>> = {
  linux: /darwin|win32|musl/,
  darwin: /linux|win32|musl/,
  win32: /linux|darwin|musl/,
};

/** Library files that the program does not load. */
const unusedFiles = [
  /\/pdfkit\/(\.yarn\/|js\/pdfkit\.(standalone|browser|old)\b)/,
  /\/dcmjs\/build\/dcmjs\.(es|min)\./,
  /\/fontkit\/(src|dist\/browser)/,
  /\/core-js-pure\/.*\.js$/,
];

export function faultsOf(
  content: PackageContent,
  platform: PackagePlatform,
  arch: string,
  wantedPacks: readonly string[],
): string[] {
  const { archived, unpacked, packs } = content;
  const faults: string[] = [];
  const expectNone = (what: string, found: readonly string[]) => {
    if (found.length > 0)
      faults.push(`${what}: ${found.slice(0, 5).join(", ")}${found.length > 5 ? ` and ${found.length - 5} more` : ""}`);
  };
  expectNone(
    "sources",
    archived.filter((name) => /\.(ts|tsx|map|c|cc|cpp|h|gyp)$/.test(name)),
  );
  expectNone(
    "not of the program",
    archived.filter((name) => /^(main|core|renderer|preload|test|models|scripts|\.ci)\//.test(name)),
  );
  expectNone(
    "tools",
    archived.filter((name) =>
      /node_modules\/(electron|electron-builder|vite|vitest|typescript|playwright-core|node-(linux|darwin|win)-[^/]+)\//.test(
        name,
      ),
    ),
  );
  expectNone(
    "spare builds of libraries",
    archived.filter((name) => unusedFiles.some((spare) => spare.test(name))),
  );
  expectNone(
    "other languages",
    content.locales.filter((name) => !/^(de|en|fr)[-_.]/.test(name)),
  );
  const binaries = [...archived, ...unpacked].filter((name) => /\.(node|dylib|dll)$|\.so(\.\d+)*$/.test(name));
  expectNone(
    "parts of other systems",
    binaries.filter((name) => foreign[platform].test(name) || (arch === "x64" ? /arm64/ : /x64/).test(name)),
  );
  expectNone(
    "native parts inside the archive only",
    binaries.filter((name) => !unpacked.includes(name)),
  );
  for (const [part, pattern] of neededParts)
    if (!binaries.some((name) => pattern.test(name))) faults.push(`missing: ${part}`);
  for (const file of neededFiles) if (!archived.includes(file)) faults.push(`missing: ${file}`);
  for (const pack of wantedPacks) if (!packs.includes(`${pack}/manifest.json`)) faults.push(`missing pack: ${pack}`);
  for (const name of documents) if (!content.documents.includes(name)) faults.push(`missing document: ${name}`);
  return faults;
}

const neededParts = [
  ["@node-rs/argon2", /@node-rs\/argon2-.*\.node$/],
  ["better-sqlite3", /better-sqlite3\/.*\.node$/],
  ["better-sqlite3-multiple-ciphers", /better-sqlite3-multiple-ciphers\/.*\.node$/],
  ["onnxruntime-node", /onnxruntime_binding\.node$/],
  ["onnxruntime", /libonnxruntime|onnxruntime\.dll/],
  ["sharp", /sharp-.*\.node$/],
] as const;

const neededFiles = [
  "package.json",
  "LICENSE",
  "build/tray.png",
  "build/trayTemplate.png",
  "build/trayTemplate@2x.png",
  "samples/sample-1.jpg",
  "dist/main/app/main.js",
  "dist/main/compose.js",
  "dist/core/contract/desktop.js",
  "dist/preload/preload.cjs",
  "dist/renderer/index.html",
  "dist/licences.json",
  "dist/page-licences.txt",
  "dist/main/store/migrations/0001-baseline.sql",
  "dist/main/inference/threads/network-thread.js",
  "dist/main/dicom/reader-thread.js",
  "dist/main/dicom/network/receiving/receiver-thread.js",
  "dist/main/dicom/network/dimse-thread.js",
  "dist/main/report/handout-thread.js",
  "dist/main/store/backups/backup-thread.js",
  "dist/main/store/record/verification-thread.js",
  "node_modules/dcmjs-codecs/build/dcmjs-native-codecs.wasm",
  "node_modules/fontkit/dist/main.cjs",
  "node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff",
  "node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff",
  "node_modules/@fontsource/kosugi/files/kosugi-japanese-400-normal.woff",
  "node_modules/@fontsource/gowun-dodum/files/gowun-dodum-korean-400-normal.woff",
  "node_modules/@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff",
  "node_modules/@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff",
  "node_modules/@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff",
] as const;

export function listPackNames(packsDir: string): string[] {
  return readdirSync(packsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

const inMb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

export function describeSizes({ totalBytes, archiveBytes, unpackedBytes, packsBytes }: PackageContent): string {
  return `${inMb(totalBytes)} in all: archive ${inMb(archiveBytes)}, native parts ${inMb(unpackedBytes)}, packs ${inMb(packsBytes)}`;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

export function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
}
