import { setImmediate } from "node:timers/promises";
import { createFilmMap, type FilmMap, type KnownMaps } from "../../../core/cardiac/capture/agreeing-frames.ts";

/** Far above the number of concurrent sessions; an evicted session registers its films again. */
const sessionsKept = 50;
const knownMaps = new Map<string, KnownMaps>();

/** Returns the registration of a session's films, held in memory only. It throws once `signal` is aborted. */
export function filmMapOf(sessionId: string, signal: AbortSignal): FilmMap {
  const known: KnownMaps = knownMaps.get(sessionId) ?? new Map();
  knownMaps.delete(sessionId);
  knownMaps.set(sessionId, known);
  for (const oldest of [...knownMaps.keys()].slice(0, -sessionsKept)) knownMaps.delete(oldest);
  return createFilmMap(() => setImmediate(undefined, { signal }), known);
}
