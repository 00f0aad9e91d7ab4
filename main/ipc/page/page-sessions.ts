import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { ServiceContext } from "../../services/measuring/service-context.ts";
import { fileExists, replacePrivateFile } from "../../store/files/private-file.ts";

/** Time for which a browser stays signed in [ms]. */
const pageSessionMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Sessions of browsers. A browser signs in by opening the address that the program prints, which contains a one-time
 * token. The token is also in a file that only the user can read, so that a second start can open the page of the
 * running program.
 */
export type PageSessions = {
  /** Path and fragment of the page with the current token. */
  signInPath(): string;
  /** Exchanges the current token for a cookie; returns null for any other token. */
  signIn(token: string): string | null;
  /** Session in a Cookie header (SHA-256 of the cookie's value); null if there is none or it is not valid. */
  sessionOf(cookieHeader: string | undefined): string | null;
  /** Whether a session is valid. It may expire or be revoked while its page is open. */
  isGood(session: string): boolean;
  /** Revokes a session, or all sessions (null). */
  forget(session: string | null): void;
  close(): void;
};

export function signInTokenFile(dataDir: string): string {
  return path.join(dataDir, "sign-in-token");
}

export function readSignInPath(dataDir: string): string {
  return pathOf(readFileSync(signInTokenFile(dataDir), "utf8"));
}

/**
 * Stores sessions in a file of the data directory, since they belong to the workstation and must be valid while the
 * practice's database is unavailable.
 */
export function createPageSessions({
  dataDir,
  now,
  log,
  reportFault,
}: Pick<ServiceContext, "dataDir" | "now" | "log" | "reportFault">): PageSessions {
  const file = path.join(dataDir, "page-sessions.json");
  // Cookies are shared between ports, so each data directory has its own cookie name.
  const cookieName = `__Host-corvet-${sha256(path.resolve(dataDir)).toString("hex").slice(0, 8)}`;
  let token = newToken(dataDir);
  let sessions = readSessions(file, (error) => {
    log.error({ error }, "browser sessions could not be read");
    const fault = new AppError("NOT_SIGNED_IN", because("pageSessionsLost", { file }), { cause: error });
    reportFault(failureOf(fault));
  });
  const save = (next: Sessions) => {
    replacePrivateFile(file, JSON.stringify(next));
    sessions = next;
  };
  const isGood = (session: string) => (sessions[session] ?? 0) > now().getTime();
  return {
    signInPath: () => pathOf(token),
    signIn(presented) {
      if (!timingSafeEqual(sha256(presented), sha256(token))) return null;
      const session = randomBytes(32).toString("base64url");
      const valid = Object.entries(sessions).filter(([known]) => isGood(known));
      save({ ...Object.fromEntries(valid), [hashOf(session)]: now().getTime() + pageSessionMs });
      // Replaced last, so that the printed address stays valid if the session cannot be written.
      token = newToken(dataDir);
      return `${cookieName}=${session}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${pageSessionMs / 1000}`;
    },
    sessionOf(cookieHeader = "") {
      const session = cookieHeader
        .split(/;\s*/)
        .find((cookie) => cookie.startsWith(`${cookieName}=`))
        ?.slice(cookieName.length + 1);
      return session !== undefined && isGood(hashOf(session)) ? hashOf(session) : null;
    },
    isGood,
    forget: (session) =>
      save(session === null ? {} : Object.fromEntries(Object.entries(sessions).filter(([known]) => known !== session))),
    close: () => rmSync(signInTokenFile(dataDir), { force: true }),
  };
}

/** Expiry of sessions [UTC ms], by the hexadecimal SHA-256 of their cookie. */
const sessionsSchema = z.record(z.string(), z.number());
type Sessions = z.infer<typeof sessionsSchema>;

/** Returns no sessions for an unreadable file; its browsers must sign in again. */
function readSessions(file: string, reportLoss: (error: unknown) => void): Sessions {
  try {
    return fileExists(file) ? sessionsSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : {};
  } catch (error) {
    reportLoss(error);
    return {};
  }
}

function newToken(dataDir: string): string {
  const token = randomBytes(24).toString("base64url");
  const file = signInTokenFile(dataDir);
  replacePrivateFile(file, token);
  return token;
}

function pathOf(token: string): string {
  return `/#t=${token}`;
}

function hashOf(session: string): string {
  return sha256(session).toString("hex");
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
