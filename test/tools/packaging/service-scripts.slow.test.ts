import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { debianVersion } from "../../../tools/packaging/service/debian-version.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const hasShell = existsSync("/bin/sh");
if (!hasShell) console.info("scripts of the service's package: skipped, a POSIX shell is missing");

const folder = folderForEach();

function command(name: string, lines: string): void {
  writeFileSync(path.join(folder(), name), `#!/bin/sh\n${lines}\n`);
  chmodSync(path.join(folder(), name), 0o755);
}

type Service = { readonly isEnabled: boolean; readonly isActive?: boolean };

/** Runs a script of the package with a simulated systemd. @returns the requested actions */
function run(script: string, args: readonly string[], { isEnabled, isActive = isEnabled }: Service): string[] {
  const said = path.join(folder(), "said");
  rmSync(said, { force: true });
  const answers = `is-enabled) exit ${isEnabled ? 0 : 1} ;; is-active) exit ${isActive ? 0 : 1} ;;`;
  command("systemctl", `case "$1" in ${answers} esac\necho "$1" >> "${said}"`);
  for (const name of ["getent", "adduser", "install", "deluser"]) command(name, "exit 0");
  const text = readFileSync(path.join("build", "service", script), "utf8")
    .replaceAll("/run/systemd/system", folder())
    .replaceAll("/run/corvet", path.join(folder(), "corvet"))
    .replaceAll("/var/lib/corvet", folder())
    .replaceAll("/usr/lib/corvet", folder());
  const env = { ...process.env, PATH: `${folder()}:${process.env["PATH"] ?? ""}` };
  execFileSync("/bin/sh", ["-c", text, script, ...args], { env });
  const asked = existsSync(said) ? readFileSync(said, "utf8").trim().split("\n") : [];
  return asked.filter((verb) => verb !== "daemon-reload");
}

describe.skipIf(!hasShell)("the service's package", () => {
  it("enables and starts the service on installation", () => {
    expect(run("postinst", ["configure", ""], { isEnabled: true })).toEqual(["enable", "restart"]);
  });

  it("restarts an enabled service on upgrade, and neither starts nor enables a disabled one", () => {
    expect(run("prerm", ["upgrade", "1.1.0-1"], { isEnabled: true })).toEqual(["stop"]);
    expect(run("postinst", ["configure", "1.0.0-1"], { isEnabled: true })).toEqual(["restart"]);
    expect(run("postinst", ["configure", "1.0.0-1"], { isEnabled: false })).toEqual([]);
  });

  it("restarts a service that ran without being enabled, only once", () => {
    const service = { isEnabled: false, isActive: true };
    run("prerm", ["upgrade", "1.1.0-1"], service);
    expect(run("postinst", ["configure", "1.0.0-1"], service)).toEqual(["restart"]);
    expect(run("postinst", ["configure", "1.0.0-1"], service)).toEqual([]);
  });

  it("restarts the service after a failed upgrade if it was running", () => {
    const [verb, abort] = ["upgrade", "abort-upgrade"];
    run("prerm", [verb], { isEnabled: true });
    // If the first script fails, dpkg tries that of the other package.
    run("prerm", ["failed-upgrade"], { isEnabled: true, isActive: false });
    expect(run("postinst", [abort], { isEnabled: true })).toEqual(["start"]);
    run("prerm", [verb], { isEnabled: true, isActive: false });
    expect(run("postinst", [abort], { isEnabled: true })).toEqual([]);
  });

  it("does not start a stopped service, even after an interrupted earlier upgrade", () => {
    writeFileSync(path.join(folder(), "corvet-was-running"), "");
    const service = { isEnabled: false, isActive: false };
    run("prerm", ["upgrade", "1.1.0-1"], service);
    expect(run("postinst", ["configure", "1.0.0-1"], service)).toEqual([]);
  });

  it.each([
    { verb: "remove", isReplaced: false },
    { verb: "upgrade", isReplaced: true },
  ])("stops a manually started program on $verb", async ({ verb, isReplaced }) => {
    const program = path.join(folder(), "node");
    // A small program that waits for input.
    copyFileSync("/bin/sh", program);
    const child = spawn(program, ["-c", "read line"]);
    await once(child, "spawn");
    const ended = once(child, "exit");
    writeFileSync(path.join(folder(), "server.json"), JSON.stringify({ pid: child.pid }));
    if (isReplaced) rmSync(program);
    run("prerm", [verb], { isEnabled: true, isActive: false });
    expect(await ended).toEqual([null, "SIGTERM"]);
  });

  it("stops the service on removal and keeps it enabled for a reinstallation", () => {
    expect(run("prerm", ["remove"], { isEnabled: true })).toEqual(["stop"]);
    run("postrm", ["remove"], { isEnabled: true });
    expect(existsSync(path.join(folder(), "corvet-was-running"))).toBe(false);
  });
});

const hasDpkg = existsSync("/usr/bin/dpkg");
it.runIf(hasDpkg)(`has versions that dpkg orders correctly${hasDpkg ? "" : " (skipped: dpkg is missing)"}`, () => {
  const versions = ["1.0.0", "1.1.0-beta.2", "1.1.0-rc.1", "1.1.0", "1.1.1"].map((version) =>
    debianVersion(version, "1"),
  );
  for (const [index, version] of versions.slice(1).entries())
    expect(spawnSync("dpkg", ["--compare-versions", versions[index] ?? "", "lt", version]).status, version).toBe(0);
});

describe.skipIf(!hasShell)("the command corvet", () => {
  type Caller = {
    readonly user: string;
    readonly settings?: string | undefined;
    readonly environment?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
  };

  function call({ user, settings, environment = {}, args = ["keys", "create"] }: Caller) {
    const place = (name: string) => path.join(folder(), name);
    command("id", `[ "$1" = -un ] && echo ${user} || echo ${user === "root" ? 0 : 107}`);
    command("setpriv", `echo "$@" > "${place("became")}"\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"`);
    command("node", `echo "$@" > "${place("called")}"\nenv > "${place("environment")}"\npwd > "${place("at")}"`);
    if (settings !== undefined) writeFileSync(place("settings"), settings);
    const text = readFileSync(path.join("build", "service", "corvet"), "utf8")
      .replaceAll("/usr/lib/corvet", folder())
      .replaceAll("/etc/default/corvet", place("settings"))
      .replaceAll("setpriv", place("setpriv"));
    command("corvet", text.replace("#!/bin/sh\n", ""));
    const env = { HOME: "/home/anna", ...environment, PATH: `${folder()}:${process.env["PATH"] ?? ""}` };
    const { status, stderr } = spawnSync(place("corvet"), args, { env, encoding: "utf8" });
    const said = (name: string) => (existsSync(place(name)) ? readFileSync(place(name), "utf8").trim() : "");
    const seen = Object.fromEntries(
      said("environment")
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    return { status, stderr, seen, at: said("at"), shown: `${said("called")} ${said("became")}` };
  }

  const address = "postgres://corvet:s%22cret@db.example/practice?sslrootcert=/etc/corvet/authority.pem";

  it.each([
    ["bare", `CORVET_PORT=7443\n\n# a comment\nCORVET_DATABASE_URL=${address}\nCORVET_OPTIONS=`],
    ["quoted twice", `CORVET_DATABASE_URL="${address}"\n`],
    ["quoted once, indented", `  CORVET_DATABASE_URL = '${address}'  \r\n`],
    ["set twice, without a final newline", `CORVET_DATABASE_URL=other\nCORVET_DATABASE_URL=${address}`],
  ])("reads the service's database from its settings: %s", (_, settings) => {
    const { status, seen, shown } = call({ user: "root", settings });
    expect([status, seen["CORVET_DATABASE_URL"]]).toEqual([0, address]);
    expect(shown).not.toContain("cret");
    expect(seen).toMatchObject({ XDG_DATA_HOME: "/var/lib", CORVET_KEYS_DIR: "/var/lib/corvet-keys" });
  });

  it("switches from root to the user corvet and keeps only Corvet's environment variables", () => {
    const known = { CORVET_PACS_PASSWORD: "hush", CORVET_CONTAINER: "1" };
    const environment = { ROOTS_OWN: "1", XDG_CONFIG_HOME: "/root/.config", ...known };
    const { seen, at, shown } = call({ user: "root", environment });
    expect(shown).toContain("--reuid=corvet --regid=corvet --init-groups");
    expect(seen).toMatchObject({ HOME: "/var/lib/corvet", USER: "corvet", ...known });
    expect(
      Object.keys(seen)
        .filter((name) => name in environment)
        .sort(),
    ).toEqual(Object.keys(known).sort());
    expect([at, shown.includes("hush")]).toEqual(["/", false]);
  });

  it("opens films in the service for root and corvet, without switching the user", () => {
    const args = ["open", "--number", "P-4711"];
    const services = { XDG_DATA_HOME: "/var/lib", CORVET_KEYS_DIR: "/var/lib/corvet-keys" };
    for (const user of ["root", "corvet"]) {
      const { seen, shown } = call({ user, args });
      expect([seen, shown]).toEqual([
        expect.objectContaining({ ...services, HOME: "/home/anna" }),
        expect.stringMatching(/corvet\.js open --number P-4711\s*$/),
      ]);
    }
    const { seen } = call({ user: "anna", args });
    expect(Object.keys(seen).filter((name) => name in services)).toEqual([]);
  });

  it("allows the caller to set another database, or none", () => {
    const settings = `CORVET_DATABASE_URL=${address}\n`;
    for (const named of ["postgres://owner@db.example/practice", ""]) {
      const { seen } = call({ user: "root", settings, environment: { CORVET_DATABASE_URL: named } });
      expect(seen["CORVET_DATABASE_URL"]).toBe(named);
    }
  });

  it("executes nothing from the settings and reads only known names", () => {
    const bait = path.join(folder(), "bait");
    const settings = [
      `touch ${bait}`,
      `CORVET_DATABASE_URL=$(touch ${bait})\`touch ${bait}\`; touch ${bait}`,
      "LD_PRELOAD=/tmp/evil.so",
      "NODE_OPTIONS=--require=/tmp/evil.js",
      "CORVET_LOG_LEVEL CORVET_STORE_KEY_FILE=x",
      `CORVET_STORE_KEY_FILE[$(touch ${bait})]=x`,
    ].join("\n");
    const { status, seen } = call({ user: "root", settings });
    expect([status, existsSync(bait)]).toEqual([0, false]);
    expect(seen["CORVET_DATABASE_URL"]).toBe(`$(touch ${bait})\`touch ${bait}\`; touch ${bait}`);
    expect(Object.keys(seen).filter((name) => /^(LD_|NODE_|CORVET_(LOG|STORE))/.test(name))).toEqual([]);
  });

  it("rejects a value that systemd would parse differently, without printing it", () => {
    for (const value of ["postgres://a:se\\cret@b/c", '"a" "secret"', "it's-secret"]) {
      const { status, stderr, shown } = call({ user: "root", settings: `CORVET_DATABASE_URL=${value}\n` });
      expect([status, shown.trim()]).toEqual([1, ""]);
      expect(stderr).toContain("CORVET_DATABASE_URL");
      expect(stderr).not.toMatch(/se.?cret/);
    }
  });

  it("does not apply the service's settings for other users or when files are measured", () => {
    const settings = `CORVET_DATABASE_URL=${address}\n`;
    const own = call({ user: "anna", settings });
    const measured = call({ user: "root", settings, args: ["measure", "film.dcm"] });
    for (const { status, seen } of [own, measured])
      expect([status, seen["CORVET_DATABASE_URL"], seen["XDG_DATA_HOME"]]).toEqual([0, undefined, undefined]);
  });
});
