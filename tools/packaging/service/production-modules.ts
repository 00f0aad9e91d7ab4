import { cpSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), optional: z.boolean().optional() })),
});

/** Library files that the service does not need: for building, other systems or the page; relative to node_modules. */
const leftOut = [
  /^better-sqlite3(-multiple-ciphers)?\/(deps|src)\//,
  /^onnxruntime-node\/(script|lib\/.*\.ts)/,
  /^@fontsource\/ibm-plex-mono\//,
  /^@fontsource\/ibm-plex-sans\/(scss\/|.*\.(css|scss|woff2)$|files\/.*-italic\.woff$|files\/.*-[12357]00-normal\.woff$)/,
  /^@fontsource\/(gowun-dodum|kosugi|noto-sans-\w+)\/(scss\/|.*\.(css|scss)$|files\/(?!.*-(korean|japanese|arabic-arabic|chinese-simplified|thai-thai)-400-normal\.woff$))/,
  /^node-(linux|darwin|win)-/,
  // Builds for browsers, bundlers and other module systems, as in electron-builder.yml.
  /^pdfkit\/(\.yarn\/|js\/pdfkit(\.(old|standalone))?\.js$|js\/pdfkit\.browser\.)/,
  /^dcmjs\/(generate\/|build\/dcmjs\.(es|min)\.js$)/,
  /^fontkit\/(src\/|dist\/browser)/,
  /^(node-forge\/dist|brotli\/(build|enc)|fflate\/umd|zod\/v3)\//,
  /^zod\/.*\.cjs$/,
  /^pako\/dist\/(?!pako\.esm\.mjs$)/,
  /^(core-js-pure|@babel\/runtime-corejs3|gl-matrix|adm-zip)\/.*\.(js|cjs|mjs)$/,
  /\/(test|tests|__tests__|docs|example|examples|benchmark|benchmarks|\.github)\//,
  /\.(ts|tsx|mts|cts|map|md|markdown|html|css|h|c|cc|cpp|gyp|gypi|flow)$/,
  /\/\.(?!bin)[^/]+$/,
];

/** Licence texts are always included, whatever their file name. */
const licenceText = /\/(licen[cs]e|copying|notice|third.?party)[^/]*$/i;

/** Copies the installed non-development packages of the lock file, without sources and parts for other systems. */
export function copyProductionModules(programDir: string, to: string): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(path.join(programDir, "package-lock.json"), "utf8")));
  const prefix = "node_modules/";
  const names = Object.entries(packages)
    .filter(([folder, { dev }]) => folder.startsWith(prefix) && !dev && existsSync(path.join(programDir, folder)))
    .map(([folder]) => folder.slice(prefix.length))
    .filter((name) => !isLeftOut(`${name}/`));
  for (const name of names) {
    const from = path.join(programDir, prefix, name);
    cpSync(from, path.join(to, name), {
      recursive: true,
      filter: (source) => {
        const inside = path.relative(path.join(programDir, prefix), source).replaceAll("\\", "/");
        // Nested libraries have separate entries in the lock file.
        if (inside.slice(name.length).includes("/node_modules")) return false;
        return !isLeftOut(inside) && !isForOtherSystem(inside);
      },
    });
  }
  return names.sort();
}

function isLeftOut(inside: string): boolean {
  return !licenceText.test(inside) && leftOut.some((pattern) => pattern.test(inside));
}

const systems = ["linux", "darwin", "win32"];

/** Whether a path is that of a prebuilt binary for another system or architecture. */
function isForOtherSystem(inside: string): boolean {
  const parts = inside.split("/");
  if (parts.some((part) => systems.includes(part) && part !== process.platform)) return true;
  const prebuilt =
    /^(?:better-sqlite3(?:-multiple-ciphers)?\/prebuilds|onnxruntime-node\/bin\/napi-v\d+\/\w+)\/([\w-]+?)(?:\.node|\/|$)/.exec(
      inside,
    )?.[1];
  return prebuilt !== undefined && prebuilt !== process.arch && prebuilt !== `${process.platform}-${process.arch}`;
}
