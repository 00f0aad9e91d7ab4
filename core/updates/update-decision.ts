import { dayMs } from "../durations.ts";
import { compareVersions } from "./version.ts";

export type OfferedRelease = {
  readonly version: string;
  /** Fraction of installations that may install it automatically, 0–1. A user's request ignores it. */
  readonly share: number;
  readonly migrations: readonly string[];
};

export type Moment = {
  readonly currentVersion: string;
  /** Position of this installation among all, 0–1, drawn at random once and stored. */
  readonly place: number;
  /** Requested by a user, including a file opened by a user. */
  readonly isAsked: boolean;
  /** End of a postponement by a user [UTC ms]; null without one. */
  readonly laterUntilMs: number | null;
  readonly nowMs: number;
  /** Number of films, calls, transfers and backups in progress. */
  readonly underWay: number;
  readonly isUnsaved: boolean;
  readonly storeMigrations: readonly string[];
  /** Other workstations use the store, which its owner migrates after a backup. */
  readonly isShared: boolean;
};

export type UpdateDecision =
  | { readonly kind: "install"; readonly migrates: boolean; readonly isOlder: boolean }
  | { readonly kind: "wait"; readonly reason: "under_way" | "unsaved" | "later" | "not_in_share" | "owner" }
  | { readonly kind: "refuse"; readonly reason: "same_version" | "older" | "store_too_new" };

/**
 * Decides whether a release is installed now. Running work and unsaved corrections take precedence over any request. An
 * older version is installed only on a user's request and if it contains every migration of the store. If workstations
 * share the store, a release with further migrations waits until the store has them, because it could not open it.
 */
export function decideUpdate(offered: OfferedRelease, moment: Moment): UpdateDecision {
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

/** Reasons that resolve themselves, or that the user can resolve, come last. */
function waitingFor({ share }: OfferedRelease, moment: Moment, migrates: boolean): UpdateDecision | null {
  const { isAsked, place, laterUntilMs, nowMs, underWay, isUnsaved, isShared } = moment;
  if (!isAsked && place >= share) return { kind: "wait", reason: "not_in_share" };
  if (isShared && migrates) return { kind: "wait", reason: "owner" };
  if (underWay > 0) return { kind: "wait", reason: "under_way" };
  if (isUnsaved) return { kind: "wait", reason: "unsaved" };
  return !isAsked && isPostponed(laterUntilMs, nowMs) ? { kind: "wait", reason: "later" } : null;
}

/** Duration of a postponement: until tomorrow [ms]. */
export const laterMs = dayMs;

/** Whether a postponement is in effect. One far in the future was made under a wrong clock and is ignored. */
export function isPostponed(laterUntilMs: number | null, nowMs: number): laterUntilMs is number {
  return laterUntilMs !== null && nowMs < laterUntilMs && laterUntilMs - nowMs < 2 * laterMs;
}
