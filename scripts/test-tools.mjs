import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Programs used by tests: a browser, independent DICOM and PDF tools, a PACS, databases and fault injection. */
const testTools = [
  { executable: "chromium", debianPackage: "chromium", isInstalled: () => Boolean(process.env.CHROMIUM_PATH) },
  { executable: "dcmdump", debianPackage: "dcmtk" },
  { executable: "gdcmconv", debianPackage: "libgdcm-tools" },
  { executable: "dciodvfy", debianPackage: "dicom3tools" },
  { executable: "opj_compress", debianPackage: "libopenjp2-tools" },
  { executable: "ojph_compress", debianPackage: "openjph-tools" },
  { executable: "pdftoppm", debianPackage: "poppler-utils" },
  { executable: "makensis", debianPackage: "nsis" },
  { executable: "Orthanc", debianPackage: "orthanc", isInstalled: () => existsSync("/usr/sbin/Orthanc") },
  {
    executable: "libOrthancDicomWeb.so",
    debianPackage: "orthanc-dicomweb",
    isInstalled: () => existsSync("/usr/share/orthanc/plugins/libOrthancDicomWeb.so"),
  },
  { executable: "postgres", debianPackage: "postgresql", isInstalled: hasPostgres },
  { executable: "pgbouncer", debianPackage: "pgbouncer", isInstalled: () => existsSync("/usr/sbin/pgbouncer") },
  { executable: "strace", debianPackage: "strace" },
  { executable: "faketime", debianPackage: "faketime" },
];

/** Whether PostgreSQL 15 or newer is installed, in Debian's folder for each version. */
function hasPostgres() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return versions.some((version) => Number(version) >= 15 && existsSync(path.join(folder, version, "bin", "initdb")));
}

const missingTools = () =>
  testTools.filter(({ executable, isInstalled }) => !isInstalled?.() && !existsSync(path.join("/usr/bin", executable)));

export function installTestTools() {
  const missing = missingTools();
  const isDebianRoot = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (missing.length === 0 || !isDebianRoot) return [];
  const packages = missing.map(({ debianPackage }) => debianPackage);
  process.stderr.write(`Installing test tools (once): ${packages.join(", ")} …\n`);
  const install = ["install", "-y", "-qq", "--no-install-recommends", "-oDPkg::Lock::Timeout=300"];
  const apt = { command: "apt-get", options: { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } };
  return [
    { ...apt, title: "apt-get update", args: ["update", "-qq"], mayFail: true },
    // Installed one at a time, so that a package missing in this Debian release does not prevent the others.
    ...packages.map((name) => ({ ...apt, title: name, args: [...install, name], mayFail: true })),
  ];
}

export function reportMissingTools() {
  for (const { executable, debianPackage } of missingTools())
    process.stderr.write(`${executable} is missing (Debian: ${debianPackage}): tests that need it are skipped.\n`);
}
