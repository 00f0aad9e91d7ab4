import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { addPageSession, deletePageSessions, hasPageSession } from "../../store/people/page-sessions.ts";
import type { ServiceContext } from "../../services/measuring/service-context.ts";
import { replacePrivateFile } from "../../store/private-file.ts";

/** How long a browser stays signed in [ms]. */
const pageSessionMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Who may use the page in a browser: whoever opens the address that the program prints. Its token is good once; it also
 * lies in a file that only the user can read, so that a second start can open the page of the program that runs.
 */
export type PageSessions = {
  /** Path and fragment of the page with the token that is good now. */
  signInPath(): string;
  /** Exchanges a token for a cookie; null when it is not the one. */
  signIn(token: string): Promise<string | null>;
  /** The session in a request's Cookie header: the hash of its token; null where it holds none that is good. */
  sessionOf(cookieHeader: string | undefined): Promise<string | null>;
  /** Whether a session is still good: it may have been taken away while its page is open. */
  isGood(session: string): Promise<boolean>;
  /** Takes the right to open the page away from one browser, or from all of them (null). */
  forget(session: string | null): Promise<void>;
  close(): void;
};

/** Where the present sign-in token lies. */
export function signInTokenFile(dataDir: string): string {
  return path.join(dataDir, "sign-in-token");
}

/** Path and fragment that open the page of the program that has this data directory. */
export function readSignInPath(dataDir: string): string {
  return pathOf(readFileSync(signInTokenFile(dataDir), "utf8"));
}

export function createPageSessions({ db, dataDir, now }: Pick<ServiceContext, "db" | "dataDir" | "now">): PageSessions {
  // Cookies do not know ports: two programs on one machine must not sign each other out.
  const cookieName = `__Host-corvet-${sha256(path.resolve(dataDir)).toString("hex").slice(0, 8)}`;
  let token = newToken(dataDir);
  let isBeingExchanged = false;
  return {
    signInPath: () => pathOf(token),
    async signIn(presented) {
      // A token is good once, for whoever brings it first.
      if (!timingSafeEqual(sha256(presented), sha256(token)) || isBeingExchanged) return null;
      isBeingExchanged = true;
      const session = randomBytes(32).toString("base64url");
      const createdAtMs = now().getTime();
      const expiresAtMs = createdAtMs + pageSessionMs;
      try {
        await addPageSession(db, { tokenSha256: sha256(session), createdAtMs, expiresAtMs });
        // The printed address stays good until somebody is signed in by it.
        token = newToken(dataDir);
      } finally {
        isBeingExchanged = false;
      }
      return `${cookieName}=${session}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${pageSessionMs / 1000}`;
    },
    async sessionOf(cookieHeader = "") {
      const session = cookieHeader
        .split(/;\s*/)
        .find((cookie) => cookie.startsWith(`${cookieName}=`))
        ?.slice(cookieName.length + 1);
      if (session === undefined) return null;
      const tokenSha256 = sha256(session);
      return (await hasPageSession(db, { tokenSha256, nowMs: now().getTime() })) ? tokenSha256.toString("hex") : null;
    },
    isGood: (session) => hasPageSession(db, { tokenSha256: Buffer.from(session, "hex"), nowMs: now().getTime() }),
    forget: (session) => deletePageSessions(db, session === null ? null : Buffer.from(session, "hex")),
    close: () => rmSync(signInTokenFile(dataDir), { force: true }),
  };
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

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
