import { localDay } from "../../../core/local-day.ts";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, homedir, hostname, release, totalmem, userInfo } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { z } from "zod";
import type { PackStatus } from "../../inference/packs/discover-packs.ts";
import { logNames } from "../../log-file.ts";
import { logFolder } from "../../log.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { listAccounts } from "../../store/people/accounts.ts";
import { copiedTables, countRows, nameOfTable } from "../../store/copying/copied-tables.ts";
import { engineOf } from "../../store/engines/engine.ts";
import { listMachines } from "../../store/machines/machines.ts";
import { backupPlanSetting, getSetting, hostNamesSetting, plainHttpSetting } from "../../store/settings.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";

export type SupportSubject = {
  readonly db: ReadableDb;
  readonly dataDir: string;
  readonly programVersion: string;
  readonly now: () => Date;
  readonly packs: readonly (Pick<PackStatus, "name" | "kind" | "version" | "reason"> & { readonly state: string })[];
  /** Null if the program does not run. */
  readonly health: object | null;
};

/** Size of the included end of each log [bytes]. */
const logBytes = 500_000;

/**
 * Builds a ZIP without personal data. Removes names of users and clinic, keys, paths in the home directory and the
 * computer's name from all files.
 */
export async function makeSupportBundle(subject: SupportSubject): Promise<{ fileName: string; bytes: Buffer }> {
  const at = subject.now();
  const files: Readonly<Record<string, string>> = {
    "versions.json": json(versionsOf(subject)),
    "store.json": json(await storeOf(subject.db)),
    "settings.json": json(await settingsOf(subject.db)),
    "packs.json": json(subject.packs),
    "health.json": json(subject.health),
    "counts.json": json(await countsOf(subject.db)),
    ...logsOf(subject.dataDir),
  };
  const clean = await cleaner(subject);
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(clean(text)), name, { mtime: at });
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { fileName: `corvet-support-${localDay(at)}.zip`, bytes };
}

function versionsOf({ programVersion }: SupportSubject) {
  const { platform, arch, versions } = process;
  const memoryMegabytes = Math.round(totalmem() / 1e6);
  return { programVersion, platform, arch, release: release(), versions, processors: cpus().length, memoryMegabytes };
}

/** Omits the store's location. */
async function storeOf(db: ReadableDb) {
  const { file } = engineOf(db);
  return { engine: file === null ? "postgresql" : "sqlite", machines: (await listMachines(db)).length };
}

/** Omits the content of texts. */
async function settingsOf(db: ReadableDb) {
  const settings = await getDesktopSettings(db);
  const { language, locale, theme, keepImages, keepImagesDays, measuresOnArrival } = settings;
  const plan = await getSetting(db, backupPlanSetting);
  return {
    ...{ language, locale, theme, keepImages, keepImagesDays, measuresOnArrival },
    shortcuts: Object.keys(settings.shortcuts).length,
    isClinicNamed: settings.clinicName !== "",
    hasLogo: settings.clinicLogo !== "",
    hostNames: (await getSetting(db, hostNamesSetting)).length,
    isPlainHttpAllowed: await getSetting(db, plainHttpSetting),
    backups: { isElsewhere: plan.folder !== null, withFilms: plan.withFilms, isEncrypted: plan.isEncrypted },
  };
}

async function countsOf(db: ReadableDb): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of copiedTables) counts[nameOfTable(table)] = await countRows(db, table);
  return counts;
}

/** Includes the previous file if the current one is short. */
function logsOf(dataDir: string): Readonly<Record<string, string>> {
  const folder = logFolder(dataDir);
  return Object.fromEntries(logNames.map((name) => [`logs/${name}.log`, lastLines(folder, name)]));
}

function lastLines(folder: string, name: string): string {
  const files = filesIn(folder).filter((file) => file === `${name}.log` || file.startsWith(`${name}-`));
  // Earlier files have a time in their name; the current one is last.
  const inOrder = files.sort((a, b) => Number(a === `${name}.log`) - Number(b === `${name}.log`) || (a < b ? -1 : 1));
  const text = inOrder
    .slice(-2)
    .map((file) => readFileSync(path.join(folder, file), "utf8"))
    .join("");
  return text.slice(-logBytes).split("\n").map(withoutMachine).filter(Boolean).join("\n");
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns "" for a truncated or invalid line. */
function withoutMachine(line: string): string {
  try {
    const members = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
    return JSON.stringify(Object.fromEntries(members.filter(([name]) => name !== "hostname")));
  } catch {
    return "";
  }
}

async function cleaner({ db, dataDir }: SupportSubject): Promise<(text: string) => string> {
  const { userName, clinicName, clinicCode, clinicAddress } = await getDesktopSettings(db);
  const accounts = (await listAccounts(db)).map(({ name }) => name);
  const named = [
    userName,
    clinicName,
    clinicCode,
    ...clinicAddress.split("\n"),
    ...accounts,
    hostname(),
    ...namesOfPlace(db),
  ];
  const hidden = [
    ...[path.resolve(dataDir), homedir()].map((folder) => [folder, "…"] as const),
    ...named.map((name) => [name.trim(), "…"] as const),
    ...[`/${userInfo().username}/`, `\\${userInfo().username}\\`].map((name) => [name, "/…/"] as const),
  ].filter(([name]) => name.length > 2);
  return (text) => {
    const short = hidden.reduce(
      (rest, [name, shown]) => rest.replaceAll(JSON.stringify(name).slice(1, -1), shown),
      text,
    );
    return short.replaceAll(/corvet_[A-Za-z0-9_-]{16,}/g, "corvet_…");
  };
}

function namesOfPlace(db: ReadableDb): string[] {
  const [, place = "", host = ""] = /^postgres:\/\/(([^:/]*).*)$/.exec(engineOf(db).place ?? "") ?? [];
  return host === "localhost" ? [place] : [place, host];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
