import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";
import { errorCatalogue, type ErrorCode } from "../core/contract/error-catalogue.ts";
import { desktopRoutes, filmSizeLimitBytes } from "../core/contract/desktop/routes.ts";
import { isDataDirTaken, readServerFile } from "./instance-lock.ts";
import { otherDataHint } from "./program.ts";
import { replacePrivateFile } from "./store/files/private-file.ts";

export type RunningProgramRequest =
  | { readonly link: string }
  /** Absolute paths of films and folders, which the program imports as if it were started with them. */
  | { readonly paths: readonly string[] }
  | { readonly film: { readonly name: string; readonly bytes: Uint8Array } };

const responseSchema = z.union([
  z.object({ ok: z.literal(true), value: z.object({ isPageOpen: z.boolean() }) }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);

/** Timeout of a request, which may have to open a film [ms]. */
const timeoutMs = 60_000;

/**
 * Writes a new token that only this user can read: it proves that a request originates from the same user's command
 * line, not from a page.
 */
export function writeRunningProgramToken(dataDir: string): { readonly token: string; remove(): void } {
  const token = randomBytes(24).toString("base64url");
  const file = tokenFile(dataDir);
  replacePrivateFile(file, token);
  return { token, remove: () => rmSync(file, { force: true }) };
}

/**
 * Sends a request to the program that uses a data directory.
 *
 * @returns whether an open page shows it
 * @throws AppError STORE_NOT_FOUND if no program uses it, and the errors that the program returns
 */
export async function sendToRunningProgram(
  dataDir: string,
  handed: RunningProgramRequest,
): Promise<{ readonly isPageOpen: boolean }> {
  const server = isDataDirTaken(dataDir) ? readServerFile(dataDir) : null;
  if (server === null)
    throw new AppError("STORE_NOT_FOUND", `Corvet is not running on ${dataDir}: start it, or ${otherDataHint()}.`);
  const isFilm = "film" in handed;
  const search = isFilm ? `?${new URLSearchParams({ name: handed.film.name }).toString()}` : "";
  const result = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${readFileSync(tokenFile(dataDir), "utf8")}` };
    const ca = readFileSync(server.authority);
    const options = { method: isFilm ? "PUT" : "POST", headers, ca, timeout: timeoutMs, agent: false } as const;
    const request = httpsRequest(`${server.url}${desktopRoutes.runningProgram}${search}`, options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.once("end", () => resolve(Buffer.concat(parts).toString("utf8")));
      response.once("error", reject);
    });
    request.once("timeout", () => request.destroy(new AppError("REQUEST_TIMEOUT")));
    request.once("error", reject);
    request.end(isFilm ? handed.film.bytes : JSON.stringify(handed));
  })
    .then((text) => responseSchema.parse(JSON.parse(text)))
    .catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      const why = `${server.url}, which server.json names, does not respond as Corvet`;
      throw new AppError("NOT_AVAILABLE", `${why}. Restart Corvet on ${dataDir}.`, { cause });
    });
  if (result.ok) return result.value;
  throw new AppError(result.code in errorCatalogue ? (result.code as ErrorCode) : "INTERNAL", result.message);
}

/** Reads a film's file for the request. @throws AppError NOT_FOUND, BODY_TOO_LARGE */
export async function readFilmFile(file: string): Promise<RunningProgramRequest> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new AppError("NOT_FOUND", `${file} is not a file.`);
  if (found.size > filmSizeLimitBytes) throw new AppError("BODY_TOO_LARGE", `${file} is too large for a film.`);
  return { film: { name: path.basename(file), bytes: await readFile(file) } };
}

function tokenFile(dataDir: string): string {
  return path.join(dataDir, "running-program-token");
}
