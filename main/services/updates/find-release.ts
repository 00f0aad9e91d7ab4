import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { installerFor, type ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { compareVersions } from "../../../core/updates/version.ts";
import { decideRelease } from "./decide-release.ts";
import type { ShownUpdates, UpdateOrigin } from "./shown-updates.ts";
import { openRelease } from "./signed-release.ts";
import { openUpdateFile } from "./update-file.ts";
import { statementName } from "./release-origin.ts";
import type { AbleHost, UpdateHost } from "./update-host.ts";

export type Finding = {
  readonly context: DesktopContext;
  readonly origin: UpdateOrigin;
  readonly shown: ShownUpdates;
  /** Number of films, transfers and backups that must not be interrupted. */
  readonly underWay: () => number;
};

/** @returns the outcome; null once a release is ready @throws AppError UPDATE_REFUSED; Error if the download fails */
export async function findOnWeb(finding: Finding, host: AbleHost, isAsked: boolean): Promise<UpdateState["outcome"]> {
  const { context, origin, shown, underWay } = finding;
  const address = (await shown.get()).feed;
  if (address === null) throw new AppError("UPDATE_REFUSED", because("updateNowhere"));
  const folder = address.endsWith("/") ? address : `${address}/`;
  const release = openRelease(await fetchStatement(host, folder), origin.keys);
  // A compromised server could reintroduce old vulnerabilities.
  if (compareVersions(release.version, context.programVersion) <= 0) {
    await withdraw(finding, release);
    return { kind: "current" };
  }
  const decision = await decideRelease(context, release, { isAsked, underWay: underWay() });
  // Work in progress delays installing, not fetching.
  if (decision.kind === "wait" && decision.reason === "not_in_share") {
    await withdraw(finding, release);
    return decision;
  }
  await prepare(finding, host, release, { address: folder, isFromFile: false, isAsked });
  return null;
}

/** @throws AppError UPDATE_REFUSED; Error if reading fails */
export async function takeFromFile(finding: Finding, host: AbleHost, file: string): Promise<void> {
  const { context, origin, underWay } = finding;
  const update = await openUpdateFile(file, origin.keys, host.target);
  try {
    await decideRelease(context, update.release, { isAsked: true, underWay: underWay() });
    await prepare(finding, host, update.release, { address: update.address, isFromFile: true, isAsked: true });
  } finally {
    await update.close();
  }
}

/**
 * Replaces the ready release; an installer that is already downloaded is kept.
 *
 * @param address  folder of the installer
 * @throws AppError UPDATE_REFUSED without an installer for this platform; Error if the download fails
 */
async function prepare(
  { context: { log }, shown }: Finding,
  host: AbleHost,
  statement: ReleaseStatement,
  {
    address,
    isFromFile,
    isAsked,
  }: { readonly address: string; readonly isFromFile: boolean; readonly isAsked: boolean },
): Promise<void> {
  const { version } = statement;
  const file = installerFor(statement, host.target);
  if (!file) throw new AppError("UPDATE_REFUSED", because("updateForOthers"));
  const { release: former } = shown.now();
  const before = former && installerFor(former.statement, host.target)?.sha512 === file.sha512 ? former : null;
  if (before === null || isFromFile) {
    await shown.show({ phase: "fetching", fetched: 0, release: null });
    await host.prepare(version, file, address, everyPercent(shown.showSoon));
    log.info({ version, isFromFile }, "a release is ready to install");
  }
  await shown.show({ release: { statement, isAsked: isAsked || before?.isAsked === true } });
}

/**
 * Drops an unrequested release that is superseded or no longer offered; a requested one is kept with its new statement.
 */
async function withdraw({ context: { log }, shown }: Finding, offered: ReleaseStatement): Promise<void> {
  const { release } = shown.now();
  if (release === null) return;
  if (!release.isAsked) {
    log.info({ version: release.statement.version }, "a release is no longer offered");
    await shown.show({ release: null });
  } else if (release.statement.version === offered.version)
    await shown.show({ release: { ...release, statement: offered } });
}

/** Once per percent, as a fraction [0–1]. */
function everyPercent(onPercent: (change: { readonly fetched: number }) => void): (fetched: number) => void {
  let lastPercent = 0;
  return (fetched) => {
    if (Math.floor(fetched * 100) === lastPercent) return;
    lastPercent = Math.floor(fetched * 100);
    onPercent({ fetched });
  };
}

const patienceMs = 30_000;
const maxBytes = 512 * 1024;

/**
 * Sends no data of the clinic.
 *
 * @param folder  address with a trailing slash
 * @throws AppError UPDATE_REFUSED without a response, or for an invalid statement
 */
async function fetchStatement({ fetch }: Pick<UpdateHost, "fetch">, folder: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(new URL(statementName, folder).href, AbortSignal.timeout(patienceMs));
  } catch (cause) {
    throw new AppError("UPDATE_REFUSED", because("updateUnreachable"), { cause });
  }
  if (!response.ok) throw new AppError("UPDATE_REFUSED", because("updateUnreachable"));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AppError("UPDATE_REFUSED", because("updateIsNone"));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
