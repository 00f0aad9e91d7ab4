import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { compareVersions } from "../../../core/updates/version.ts";
import { decideRelease } from "./decide-release.ts";
import type { AbleHost, ReadyRelease } from "./ready-release.ts";
import type { ShownUpdates, UpdateOrigin } from "./shown-updates.ts";
import { openRelease } from "./signed-release.ts";
import { openUpdateFile } from "./update-file.ts";
import { statementName } from "./release-origin.ts";
import type { UpdateHost } from "./update-host.ts";

export type Finding = {
  readonly context: DesktopContext;
  readonly origin: UpdateOrigin;
  readonly shown: ShownUpdates;
  readonly ready: ReadyRelease;
  /** Number of films, transfers and backups that must not be interrupted. */
  readonly underWay: () => number;
};

/**
 * Searches the web for a newer release and fetches it.
 *
 * @returns the outcome; null once a release is ready
 * @throws AppError UPDATE_REFUSED; Error if the download fails
 */
export async function findOnWeb(
  { context, origin, shown, ready, underWay }: Finding,
  host: AbleHost,
  isAsked: boolean,
): Promise<UpdateState["outcome"]> {
  const address = (await shown.get()).feed;
  if (address === null) throw new AppError("UPDATE_REFUSED", because("updateNowhere"));
  const folder = address.endsWith("/") ? address : `${address}/`;
  const release = openRelease(await fetchStatement(host, folder), origin.keys);
  // Downgrades from the web are refused, since a compromised server could reintroduce old vulnerabilities.
  if (compareVersions(release.version, context.programVersion) <= 0) {
    await ready.withdraw(release);
    return { kind: "current" };
  }
  const decision = await decideRelease(context, release, { isAsked, underWay: underWay() });
  // Work in progress delays installing, not fetching.
  if (decision.kind === "wait" && decision.reason === "not_in_share") {
    await ready.withdraw(release);
    return decision;
  }
  await ready.take(host, release, { address: folder, isFromFile: false, isAsked });
  return null;
}

/** Prepares the release in an update file for installation. @throws AppError UPDATE_REFUSED; Error if reading fails */
export async function takeFromFile(
  { context, origin, ready, underWay }: Finding,
  host: AbleHost,
  file: string,
): Promise<void> {
  const update = await openUpdateFile(file, origin.keys, host.target);
  try {
    await decideRelease(context, update.release, { isAsked: true, underWay: underWay() });
    await ready.take(host, update.release, { address: update.address, isFromFile: true, isAsked: true });
  } finally {
    await update.close();
  }
}

const patienceMs = 30_000;
const maxBytes = 512 * 1024;

/**
 * Fetches the statement of the newest release. Sends no data of the clinic.
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
