import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Steps of `npm run lint` and `npm test`: `{ title, command, args, options }`, for scripts/lanes.mjs. */
const say = (text) => process.stderr.write(`${text}\n`);

export const types = (node, modules) => ({
  title: "Types",
  command: node,
  args: [path.join(modules, "ts7", "bin", "tsc"), "-b"],
});

export const rules = (node, modules, args = []) => ({
  title: "Rules",
  command: node,
  args: [path.join(modules, "eslint", "bin", "eslint.js"), ".", ...args],
});

/** Layout, arrows between rooms, nothing unused, and the same for the training code. */
export function layoutAndArrows(node, modules) {
  const bin = (...names) => path.join(modules, ...names);
  const cruiser = bin("dependency-cruiser", "bin", "dependency-cruiser.mjs");
  const rooms = ["core", "main", "tools", "preload", "renderer"];
  return [
    {
      title: "Layout",
      command: node,
      args: [bin("prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."],
    },
    {
      title: "Arrows",
      command: node,
      args: [cruiser, "--config", "dependency-cruiser.config.mjs", "--output-type", "err", ...rooms],
    },
    { title: "Nothing unused", command: node, args: [bin("knip", "bin", "knip.js")] },
    { title: "Training code, rules", command: node, args: ["tools/lint-python.ts"] },
  ];
}

/** The training code's types are checked where mypy is. */
export function trainingTypes(root) {
  const mypy = ["/usr/bin/mypy", "mypy"].find(
    (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
  );
  if (!mypy) say("Types of the training code: skipped, no mypy (on Debian: apt-get install mypy).");
  return mypy
    ? [
        {
          title: "Training code, types",
          command: mypy,
          args: ["--no-error-summary"],
          options: { cwd: path.join(root, "models") },
        },
      ]
    : [];
}

/** The training code is tested where its libraries are: they are not needed to run or change the program. */
export function trainingTests(root) {
  const modulesNeeded = "torch, onnx, cv2, scipy, xgboost";
  const python = ["/usr/bin/python3", "python3", "python"].find(
    (name) => spawnSync(name, ["-c", `import ${modulesNeeded}`], { stdio: "ignore" }).status === 0,
  );
  if (!python)
    say(
      `Training code: skipped, no Python with ${modulesNeeded} (on Debian: apt-get install python3-torch python3-onnx python3-opencv python3-scipy python3-xgboost).`,
    );
  const options = { cwd: path.join(root, "models"), env: { ...process.env, OMP_WAIT_POLICY: "passive" } };
  const args = ["-W", "ignore", "-m", "unittest", "discover", "-s", "training/tests", "-t", "."];
  return python ? [{ title: "Training code", command: python, args, options }] : [];
}

/**
 * What tests use of the machine beside Node: a real browser, independent DICOM and PDF tools that judge what Corvet
 * reads and writes, a PACS, and the other database.
 */
const testTools = [
  { executable: "chromium", debianPackage: "chromium", isThere: () => Boolean(process.env.CHROMIUM_PATH) },
  { executable: "dcmdump", debianPackage: "dcmtk" },
  { executable: "gdcmconv", debianPackage: "libgdcm-tools" },
  { executable: "dciodvfy", debianPackage: "dicom3tools" },
  { executable: "opj_compress", debianPackage: "libopenjp2-tools" },
  { executable: "ojph_compress", debianPackage: "openjph-tools" },
  { executable: "pdftoppm", debianPackage: "poppler-utils" },
  { executable: "makensis", debianPackage: "nsis" },
  { executable: "Orthanc", debianPackage: "orthanc", isThere: () => existsSync("/usr/sbin/Orthanc") },
  {
    executable: "libOrthancDicomWeb.so",
    debianPackage: "orthanc-dicomweb",
    isThere: () => existsSync("/usr/share/orthanc/plugins/libOrthancDicomWeb.so"),
  },
  { executable: "postgres", debianPackage: "postgresql", isThere: hasPostgres },
];

/** PostgreSQL 15 or newer: each version has a folder of its own. */
function hasPostgres() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return versions.some((version) => Number(version) >= 15 && existsSync(path.join(folder, version, "bin", "initdb")));
}

const missingTools = () =>
  testTools.filter(({ executable, isThere }) => !isThere?.() && !existsSync(path.join("/usr/bin", executable)));

/** Test tools are taken from Debian where that is possible. */
export function testToolsFromDebian() {
  const missing = missingTools();
  const isDebianRoot = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (missing.length === 0 || !isDebianRoot) return [];
  const packages = missing.map(({ debianPackage }) => debianPackage);
  say(`Installing what the tests need (once): ${packages.join(", ")} …`);
  const install = ["install", "-y", "-qq", "--no-install-recommends", "-oDPkg::Lock::Timeout=300"];
  const apt = { command: "apt-get", options: { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } };
  return [
    { ...apt, title: "Lists of Debian", args: ["update", "-qq"], mayFail: true },
    // Each alone: one that this Debian does not have keeps no other away.
    ...packages.map((name) => ({ ...apt, title: `Test tool ${name}`, args: [...install, name], mayFail: true })),
  ];
}

/** A test without its tool says that it was skipped; so is said here why. */
export function nameMissingTools() {
  for (const { executable, debianPackage } of missingTools())
    say(`${executable} is missing (Debian: ${debianPackage}): the tests that need it are skipped.`);
}
