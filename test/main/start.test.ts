import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const parts = ["compose.ts", "composition/open-program.ts", "composition/open-services.ts"].map(
  (file) => new URL(`../../main/${file}`, import.meta.url).href,
);
/** Large packages that only threads and rare actions need. */
const onDemand = [
  "pdfkit",
  "fontkit",
  "dcmjs",
  "@peculiar/x509",
  "reflect-metadata",
  "dcmjs-dimse",
  "electron-updater",
  "pg",
  "better-sqlite3-multiple-ciphers",
];

it("loads no packages at the start that only later actions need", () => {
  const script = `
    import { registerHooks } from "node:module";
    const seen = new Set();
    registerHooks({ load: (url, context, next) => { seen.add(url); return next(url, context); } });
    for (const part of ${JSON.stringify(parts)}) await import(part);
    console.log(JSON.stringify([...seen]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stderr).not.toMatch(/Error/);
  const loaded = (JSON.parse(stdout) as string[])
    .map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1])
    .filter((name) => name !== undefined);
  expect(loaded).toContain("kysely");
  expect(onDemand.filter((name) => loaded.includes(name))).toEqual([]);
});
