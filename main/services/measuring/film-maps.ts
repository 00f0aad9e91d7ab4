import { setImmediate } from "node:timers/promises";
import { createFilmMap, type FilmMap } from "../../../core/cardiac/capture/agreeing-frames.ts";

/** Far more than are under way at a time; one that is forgotten registers its films again. */
const sessionsKept = 50;
const filmMaps = new Map<string, FilmMap>();

/** What is known of how the films of a capture session lie upon each other, of the running program alone. */
export function filmMapOf(sessionId: string): FilmMap {
  const filmMap = filmMaps.get(sessionId) ?? createFilmMap(() => setImmediate());
  filmMaps.delete(sessionId);
  filmMaps.set(sessionId, filmMap);
  for (const oldest of [...filmMaps.keys()].slice(0, -sessionsKept)) filmMaps.delete(oldest);
  return filmMap;
}
