import { spawnSync } from "node:child_process";
import { readdirSync, statSync, existsSync } from "node:fs";
import path from "node:path";

/** Steps of the commands in scripts/run.mjs: `{ title, command, args, options }`, run by scripts/lanes.mjs. */
export function createChecks(root, node) {
  const modules = path.join(root, "node_modules");
  const step = (title, script, ...args) => ({ title, command: node, args: [path.join(modules, ...script), ...args] });
  // One checker per project: several duplicate work and take twice the processor time while the tests run.
  const types = step("types", ["ts7", "bin", "tsc"], "-b", "--checkers", "1");
  const oxlint = (title, ...args) => step(title, ["oxlint", "bin", "oxlint"], "--quiet", ...args);
  const folders = ["core", "main", "tools", "preload", "renderer"];
  const cruiser = ["dependency-cruiser", "bin", "dependency-cruiser.mjs"];
  const cruise = ["--config", "dependency-cruiser.config.mjs", "--output-type", "err", ...folders];
  const rest = [
    step("Prettier", ["prettier", "bin", "prettier.cjs"], "--check", "--log-level", "warn", "."),
    step("dependency-cruiser", cruiser, ...cruise),
    step("knip", ["knip", "bin", "knip.js"]),
    { title: "ruff", command: node, args: ["tools/lint-python.ts"] },
  ];
  const vite = (title, config) =>
    step(title, ["vite", "bin", "vite.js"], "build", "--config", config, "--logLevel=warn");
  return {
    types,
    /** Only the rules that need no types: 2 s instead of 20. */
    quickLint: oxlint("oxlint"),
    lint: oxlint("oxlint with types", "--type-aware", "--report-unused-disable-directives-severity=error"),
    /** Formatting, imports between layers, unused code, and the training code. */
    rest,
    trainingTypes: () => trainingTypes(root),
    trainingTests: () => trainingTests(root),
    /** Builds the page if it is missing or older than its sources. */
    page: () => (isPageBuilt(root) ? [] : [vite("page", "renderer/vite.config.ts")]),
    preload: vite("preload", "preload/vite.config.ts"),
    vitest: (...args) => ({
      ...step("tests", ["vitest", "vitest.mjs"], "run", ...args),
      isShown: true,
    }),
  };
}

function isPageBuilt(root) {
  const page = path.join(root, "dist", "renderer", "index.html");
  const sources = ["renderer", "core", "docs/manual"].map((folder) => newestChangeMs(path.join(root, folder)));
  return existsSync(page) && statSync(page).mtimeMs >= Math.max(...sources);
}

function newestChangeMs(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(path.join(folder, file)).mtimeMs));
}

/** Type check of the training code, if mypy is installed. */
function trainingTypes(root) {
  const mypy = ["/usr/bin/mypy", "mypy"].find((name) => succeeds(name, ["--version"]));
  if (!mypy) return skip("mypy is missing (Debian: mypy): the types of the training code are not checked");
  const options = { cwd: path.join(root, "models") };
  return [{ title: "mypy", command: mypy, args: ["--no-error-summary"], options }];
}

/** Tests of the training code, if its libraries are installed. */
function trainingTests(root) {
  const libraries = "torch, onnx, cv2, scipy, xgboost";
  const packages = "python3-torch python3-onnx python3-opencv python3-scipy python3-xgboost";
  const python = ["/usr/bin/python3", "python3", "python"].find((name) =>
    succeeds(name, ["-c", `import ${libraries}`]),
  );
  if (!python)
    return skip(`Python with ${libraries} is missing (Debian: ${packages}): the training code is not tested`);
  const options = { cwd: path.join(root, "models"), env: { ...process.env, OMP_WAIT_POLICY: "passive" } };
  const args = ["-W", "ignore", "-m", "unittest", "discover", "-s", "training/tests", "-t", "."];
  return [{ title: "training tests", command: python, args, options }];
}

const succeeds = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

function skip(reason) {
  process.stderr.write(`Skipped: ${reason}.\n`);
  return [];
}
