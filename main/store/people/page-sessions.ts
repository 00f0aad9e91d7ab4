import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";

/** A browser that was signed in to the page. `tokenSha256` is 32 bytes; times are ms UTC. */
export type PageSession = { readonly tokenSha256: Buffer; readonly createdAtMs: number; readonly expiresAtMs: number };

/** Keeps a session and forgets those whose time is over. */
export async function addPageSession(
  db: WritableDb,
  { tokenSha256, createdAtMs, expiresAtMs }: PageSession,
): Promise<void> {
  await transaction(db, async () => {
    await db.deleteFrom("pageSessions").where("expiresAtMs", "<=", createdAtMs).execute();
    await db.insertInto("pageSessions").values({ tokenSha256, createdAtMs, expiresAtMs }).execute();
  });
}

/** Whether a session is known and its time not over. */
export async function hasPageSession(
  db: ReadableDb,
  { tokenSha256, nowMs }: { readonly tokenSha256: Buffer; readonly nowMs: number },
): Promise<boolean> {
  const session = db.selectFrom("pageSessions").select("expiresAtMs").where("tokenSha256", "=", tokenSha256);
  return (await session.where("expiresAtMs", ">", nowMs).executeTakeFirst()) !== undefined;
}

/** Forgets one session, or all of them (null): their browsers have to be let in again. */
export async function deletePageSessions(db: WritableDb, tokenSha256: Buffer | null): Promise<void> {
  const sessions = db.deleteFrom("pageSessions");
  await (tokenSha256 === null ? sessions : sessions.where("tokenSha256", "=", tokenSha256)).execute();
}
