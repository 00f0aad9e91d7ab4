import type { ReadableDb, WritableDb } from "./connection.ts";

/** A browser that was signed in to the page. `tokenSha256` is 32 bytes; times are ms UTC. */
export type PageSession = { readonly tokenSha256: Buffer; readonly createdAtMs: number; readonly expiresAtMs: number };

/** Keeps a session and forgets those whose time is over. */
export function addPageSession(db: WritableDb, session: PageSession): void {
  const add = db.transaction(() => {
    db.prepare("DELETE FROM page_sessions WHERE expires_at_ms <= ?").run(session.createdAtMs);
    db.prepare(
      "INSERT INTO page_sessions (token_sha256, created_at_ms, expires_at_ms) VALUES (:tokenSha256, :createdAtMs, :expiresAtMs)",
    ).run(session);
  });
  add.immediate();
}

/** Whether a session is known and its time not over. */
export function hasPageSession(
  db: ReadableDb,
  args: { readonly tokenSha256: Buffer; readonly nowMs: number },
): boolean {
  return (
    db.prepare("SELECT 1 FROM page_sessions WHERE token_sha256 = :tokenSha256 AND expires_at_ms > :nowMs").get(args) !==
    undefined
  );
}

/** Forgets one session, or all of them (null): their browsers have to be let in anew. */
export function deletePageSessions(db: WritableDb, tokenSha256: Buffer | null): void {
  if (tokenSha256 === null) db.prepare("DELETE FROM page_sessions").run();
  else db.prepare("DELETE FROM page_sessions WHERE token_sha256 = ?").run(tokenSha256);
}
