import { readdirSync } from "node:fs";
import { AppError, because } from "../../../core/app-error.ts";
import type { ReleaseStatement } from "../../../core/updates/release-statement.ts";
import {
  decideUpdate,
  migratesStore,
  type Moment,
  type UpdateDecision,
} from "../../../core/updates/update-decision.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { engineOf } from "../../store/engines/engine.ts";
import { listNewerMigrations, migrationsDir } from "../../store/opening/migrations.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getUpdateSettings, rolloutPosition } from "./update-settings.ts";

export type Asked = {
  /** Whether a user requested it or opened its file. */
  readonly isAsked: boolean;
  readonly isUnsaved?: boolean;
  /** Number of films, calls, transfers and backups in progress. */
  readonly underWay: number;
};

type Deciding = Pick<DesktopContext, "db" | "now" | "programVersion">;

export async function decisionOn(
  { db, now, programVersion }: Deciding,
  release: ReleaseStatement,
  { isAsked, isUnsaved = false, underWay }: Asked,
): Promise<UpdateDecision> {
  return decideUpdate(release, {
    currentVersion: programVersion,
    place: await rolloutPosition(db),
    isAsked,
    laterUntilMs: (await getUpdateSettings(db)).laterUntilMs,
    nowMs: now().getTime(),
    underWay,
    isUnsaved,
    ...(await storeOf(db)),
  });
}

/** @throws AppError UPDATE_REFUSED with the reason */
export async function decideRelease(
  context: Deciding,
  release: ReleaseStatement,
  asked: Asked,
): Promise<Exclude<UpdateDecision, { readonly kind: "refuse" }>> {
  const decision = await decisionOn(context, release, asked);
  if (decision.kind === "refuse") throw refusal(decision.reason, release.version);
  return decision;
}

export async function changeOfStore(db: ReadableDb, release: ReleaseStatement) {
  const store = await storeOf(db);
  const migrates = migratesStore(release, store);
  return { migrates, waitsForOwner: store.isShared && migrates };
}

/** Includes migrations applied to a shared database by newer programs. An unavailable database counts as unchanged. */
async function storeOf(db: ReadableDb): Promise<Pick<Moment, "storeMigrations" | "isShared">> {
  const own = readdirSync(migrationsDir).filter((name) => name.endsWith(".sql"));
  if (engineOf(db).file !== null) return { isShared: false, storeMigrations: own };
  const newer = await listNewerMigrations(db).catch(() => []);
  return { isShared: true, storeMigrations: [...own, ...newer] };
}

function refusal(reason: "same_version" | "older" | "store_too_new", version: string): AppError {
  switch (reason) {
    case "same_version":
      return new AppError("UPDATE_REFUSED", because("updateSame", { version }));
    case "older":
      return new AppError("UPDATE_REFUSED", because("updateOlder", { version }));
    case "store_too_new":
      return new AppError("UPDATE_REFUSED", because("updateStoreTooNew", { version }));
  }
}
