import { dayMs } from "../durations.ts";
import { compareVersions, isVersion } from "./version.ts";

export type OfferedRelease = {
  readonly version: string;
  /** Part of the installations that may take it by themselves, 0–1; one who asks for it gets it at once. */
  readonly share: number;
  /** Migrations of the store that it knows, by name. */
  readonly migrations: readonly string[];
};

export type Moment = {
  readonly currentVersion: string;
  /** Position of this installation among all, 0–1, drawn once and stored. */
  readonly place: number;
  /** Requested by a user, or a file opened by a user. */
  readonly isAsked: boolean;
  /** Postponed by a user until then [ms UTC]; null for never. */
  readonly laterUntilMs: number | null;
  readonly nowMs: number;
  /** Films, calls, transfers or backups under way. */
  readonly underWay: number;
  readonly isUnsaved: boolean;
  /** Migrations that the store has seen, by name. */
  readonly storeMigrations: readonly string[];
  /** Other machines work with the store, too: its owner migrates it, once it has been backed up. */
  readonly isShared: boolean;
};

/** Outcome for an offered release: installed, offered again once the reason is resolved, or refused. */
export type UpdateDecision =
  | { readonly kind: "install"; readonly migrates: boolean; readonly isOlder: boolean }
  | { readonly kind: "wait"; readonly reason: "under_way" | "unsaved" | "later" | "not_in_share" | "owner" }
  | { readonly kind: "refuse"; readonly reason: "no_version" | "same_version" | "older" | "store_too_new" };

/**
 * Decides whether a release is installed now. Running work and unsaved corrections take precedence over any request. An
 * older version is installed only on a user's request and if it knows every migration of the store. If workstations
 * share the store, a release that needs migrations waits until the store has them, because it could not open it.
 */
export function decideUpdate(offered: OfferedRelease, moment: Moment): UpdateDecision {
  if (!isVersion(offered.version)) return { kind: "refuse", reason: "no_version" };
  const order = compareVersions(offered.version, moment.currentVersion);
  if (order === 0) return { kind: "refuse", reason: "same_version" };
  if (order < 0 && !moment.isAsked) return { kind: "refuse", reason: "older" };
  const known = new Set(offered.migrations);
  if (!moment.storeMigrations.every((name) => known.has(name))) return { kind: "refuse", reason: "store_too_new" };
  const migrates = migratesStore(offered, moment);
  return waitingFor(offered, moment, migrates) ?? { kind: "install", migrates, isOlder: order < 0 };
}

export function migratesStore(
  { migrations }: Pick<OfferedRelease, "migrations">,
  { storeMigrations }: Pick<Moment, "storeMigrations">,
): boolean {
  return migrations.some((name) => !storeMigrations.includes(name));
}

/** Reasons that end by themselves, or by the user present, come last. */
function waitingFor({ share }: OfferedRelease, moment: Moment, migrates: boolean): UpdateDecision | null {
  const { isAsked, place, laterUntilMs, nowMs, underWay, isUnsaved, isShared } = moment;
  if (!isAsked && place >= share) return { kind: "wait", reason: "not_in_share" };
  if (isShared && migrates) return { kind: "wait", reason: "owner" };
  if (underWay > 0) return { kind: "wait", reason: "under_way" };
  if (isUnsaved) return { kind: "wait", reason: "unsaved" };
  return !isAsked && isPutOff(laterUntilMs, nowMs) ? { kind: "wait", reason: "later" } : null;
}

/** "Later" is until tomorrow [ms]. */
export const laterMs = dayMs;

/** Whether a postponement is valid; one far in the future was made under a wrong clock. */
export function isPutOff(laterUntilMs: number | null, nowMs: number): laterUntilMs is number {
  return laterUntilMs !== null && nowMs < laterUntilMs && laterUntilMs - nowMs < 2 * laterMs;
}
