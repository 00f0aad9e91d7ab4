import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { DesktopEvent, DesktopEventName } from "../../core/contract/desktop.ts";
import { engineOf } from "../store/engines/engine.ts";
import { longestMessageBytes } from "../store/engines/bus.ts";
import { getLatestAnnotations } from "../store/films/annotations.ts";
import { findFilm } from "../store/films/films.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { getDesktopSettings } from "../services/desktop/desktop-settings.ts";
import { inTurn } from "../services/measuring/in-turn.ts";
import { listOwnRanges } from "../services/practice/own-ranges.ts";
import { publishFilm, publishRemoval } from "../services/worklist/film-news.ts";

/** What happens is told to the other machines of the practice, and what happens there to the pages of this one. */
export type OtherMachines = {
  /** Passes an event on where it is about what machines share; never what it says, only what it is about. */
  pass(event: DesktopEvent): void;
  start(): Promise<void>;
  close(): Promise<void>;
};

const message = z.object({ name: z.string(), ids: z.array(z.string()) });
type Message = z.infer<typeof message>;

/** So many ids, each of 39 bytes with what separates them, stay below the longest message. */
const idsOfMessage = Math.floor((longestMessageBytes - 100) / 40);

/** @param context  whose `publish` reaches this program's own pages, and nobody else */
export function createOtherMachines(context: DesktopContext): OtherMachines {
  const { driver, bus } = engineOf(context.db);
  let stop: (() => Promise<void>) | null = null;
  const hear = async (text: string) => {
    const { name, ids } = message.parse(JSON.parse(text));
    await tellPages(context, name as DesktopEventName, ids);
  };
  const warn = (error: unknown) => context.log.warn({ error }, "news of another machine were not told");
  const missed = () => context.publish({ name: "events.missed", payload: {} });
  return {
    pass(event) {
      if (bus === null) return;
      const texts = messagesOf(event).map((each) => JSON.stringify(each));
      // Whoever hears it asks the store, which must have it by then.
      driver.afterCommit(async () => texts.forEach((text) => bus.send(text))).catch(warn);
    },
    async start() {
      if (bus === null) return;
      stop = await bus.listen({
        heard: (text) => void inTurn("news of other machines", () => hear(text)).catch(warn),
        missed,
        away: (cause) => context.log.warn({ error: cause }, "other machines are not heard for a while"),
      });
    },
    close: async () => stop?.(),
  };
}

/** What others are told of an event; nothing of what is this machine's alone. */
function messagesOf(event: DesktopEvent): readonly Message[] {
  const { name } = event;
  switch (name) {
    case "film.changed":
      return [{ name, ids: [event.payload.film.id] }];
    case "annotations.changed":
      return [{ name, ids: [event.payload.filmId] }];
    case "keys.revoked":
      return [{ name, ids: [event.payload.keyId] }];
    case "film.removed":
      return inParts(name, event.payload.filmIds);
    case "patients.changed":
      return inParts(name, event.payload.patientIds);
    case "settings.changed":
    case "ranges.changed":
    case "ledger.changed":
    case "screenings.changed":
    case "publishers.changed":
    case "session.changed":
    case "dicom.changed":
    case "folders.changed":
    case "openFilms.changed":
      return [{ name, ids: [] }];
    case "files.leftAlone":
    case "updates.changed":
    case "server.changed":
    case "packs.changed":
    case "troubles.changed":
    case "queue.changed":
    case "encryption.changed":
    case "orders.changed":
    case "events.missed":
    case "dicom.sending":
    case "pacs.fetching":
    case "backup.progress":
    case "opening.asked":
    case "fault":
    case "menu.command":
      return [];
  }
}

function inParts(name: DesktopEventName, ids: readonly string[]): readonly Message[] {
  const parts: Message[] = [];
  for (let from = 0; from < ids.length; from += idsOfMessage)
    parts.push({ name, ids: ids.slice(from, from + idsOfMessage) });
  return parts;
}

/** Reads anew what another machine's event is about, and tells it as this machine's own. */
async function tellPages(context: DesktopContext, name: DesktopEventName, ids: readonly string[]): Promise<void> {
  const { db, publish } = context;
  switch (name) {
    case "film.changed":
    case "film.removed":
      for (const id of ids) await tellFilm(context, id);
      return;
    case "annotations.changed":
      for (const filmId of ids) {
        const version = (await getLatestAnnotations(db, filmId))?.version;
        if (version !== undefined) publish({ name, payload: { filmId, version } });
      }
      return;
    case "keys.revoked":
      for (const keyId of ids) publish({ name, payload: { keyId } });
      return;
    case "patients.changed":
      return publish({ name, payload: { patientIds: [...ids] } });
    case "settings.changed":
      return publish({ name, payload: { settings: await getDesktopSettings(db) } });
    case "ranges.changed":
      return publish({ name, payload: { ranges: await listOwnRanges(context) } });
    case "ledger.changed":
    case "screenings.changed":
    case "publishers.changed":
    case "session.changed":
    case "dicom.changed":
    case "folders.changed":
    case "openFilms.changed":
      return publish({ name, payload: {} });
    // What is about one machine alone is not sent; a newer program may.
    case "backup.progress":
    case "dicom.sending":
    case "encryption.changed":
    case "events.missed":
    case "fault":
    case "files.leftAlone":
    case "menu.command":
    case "opening.asked":
    case "orders.changed":
    case "packs.changed":
    case "pacs.fetching":
    case "queue.changed":
    case "server.changed":
    case "troubles.changed":
    case "updates.changed":
      return;
  }
}

async function tellFilm(context: DesktopContext, filmId: string): Promise<void> {
  if ((await findFilm(context.db, filmId)) === null) return publishRemoval(context, [filmId]);
  try {
    await publishFilm(context, filmId);
  } catch (error) {
    // Taken off the worklist in between: that is told, too.
    if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
  }
}
