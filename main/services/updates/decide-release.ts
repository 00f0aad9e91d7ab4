import { readdirSync } from "node:fs";
import { AppError, because } from "../../../core/app-error.ts";
import type { ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { decideUpdate, type UpdateDecision } from "../../../core/updates/update-decision.ts";
import { migrationsDir } from "../../store/migrations.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getUpdateSettings, placeAmongAll } from "./update-settings.ts";

/** What somebody, or nobody, wants of a release. */
export type Asked = {
  /** A person asked for it, or opened the file of it. */
  readonly isAsked: boolean;
  readonly isUnsaved?: boolean;
  /** Films, calls, transfers or backups under way. */
  readonly underWay: number;
};

type Deciding = Pick<DesktopContext, "db" | "now" | "programVersion">;

/** What becomes of a release here and now. */
export async function decisionOn(
  { db, now, programVersion }: Deciding,
  release: ReleaseStatement,
  { isAsked, isUnsaved = false, underWay }: Asked,
): Promise<UpdateDecision> {
  return decideUpdate(release, {
    currentVersion: programVersion,
    place: await placeAmongAll(db),
    isAsked,
    laterUntilMs: (await getUpdateSettings(db)).laterUntilMs,
    nowMs: now().getTime(),
    underWay,
    isUnsaved,
    storeMigrations: knownMigrations(),
  });
}

/** The same where a refusal is a failure. @throws AppError UPDATE_REFUSED with the reason */
export async function decideRelease(
  context: Deciding,
  release: ReleaseStatement,
  asked: Asked,
): Promise<Exclude<UpdateDecision, { readonly kind: "refuse" }>> {
  const decision = await decisionOn(context, release, asked);
  if (decision.kind === "refuse") throw refusal(decision.reason, release.version);
  return decision;
}

/** Whether a release changes the store, which is copied before. */
export function migratesStore({ migrations }: ReleaseStatement): boolean {
  return migrations.length > knownMigrations().length;
}

/** Names of the migrations that this program's stores have seen: all that it has. */
function knownMigrations(): string[] {
  return readdirSync(migrationsDir).filter((name) => name.endsWith(".sql"));
}

function refusal(reason: "no_version" | "same_version" | "older" | "store_too_new", version: string): AppError {
  switch (reason) {
    case "no_version":
      return new AppError("UPDATE_REFUSED", because("updateNotUnderstood"));
    case "same_version":
      return new AppError("UPDATE_REFUSED", because("updateSame", { version }));
    case "older":
      return new AppError("UPDATE_REFUSED", because("updateOlder", { version }));
    case "store_too_new":
      return new AppError("UPDATE_REFUSED", because("updateStoreTooNew", { version }));
  }
}
