import { z } from "zod";
import type { DesktopEvent, DesktopEventName, DesktopEventPayload } from "../../core/contract/desktop.ts";
import { engineOf } from "../store/engines/engine.ts";
import { maxMessageBytes } from "../store/engines/bus.ts";
import { getLatestAnnotations } from "../store/films/annotations.ts";
import { findFilm } from "../store/films/films.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { getDesktopSettings } from "../services/desktop/desktop-settings.ts";
import { runInSequence } from "../services/measuring/run-in-sequence.ts";
import { listOwnRanges } from "../services/practice/own-ranges.ts";
import { publishFilms, publishRemoval } from "../services/worklist/film-events.ts";

/** Exchanges events about shared data with the practice's other workstations. */
export type OtherMachines = {
  /** Sends the name and ids of an event about shared data, without its content; ignores other events. */
  pass(event: DesktopEvent): void;
  start(): Promise<void>;
  close(): Promise<void>;
};

const message = z.object({ name: z.string(), ids: z.array(z.string()) });
type Message = z.infer<typeof message>;

/** Number of ids that fit into a message; each takes 39 bytes with quotes and comma. */
const idsOfMessage = Math.floor((maxMessageBytes - 100) / 40);

/** @param context  its `publish` must reach the pages of this program only */
export function createOtherMachines(context: DesktopContext): OtherMachines {
  const { driver, bus } = engineOf(context.db);
  let stop: (() => Promise<void>) | null = null;
  const receive = async (text: string) => {
    const { name, ids } = message.parse(JSON.parse(text));
    // A newer program may send events that this one does not have.
    if (Object.hasOwn(sharing, name)) await sharing[name as DesktopEventName]?.republish(context, ids);
  };
  const warn = (error: unknown) => context.log.warn({ error }, "an event of another workstation was lost");
  return {
    pass(event) {
      if (bus === null) return;
      const texts = messagesOf(event).map((each) => JSON.stringify(each));
      // Receivers query the store, which must contain the change.
      driver.afterCommit(async () => texts.forEach((text) => bus.send(text))).catch(warn);
    },
    async start() {
      if (bus === null) return;
      stop = await bus.listen({
        received: (text) => void runInSequence("events of other workstations", () => receive(text)).catch(warn),
        missed: () => context.publish({ name: "events.missed", payload: {} }),
        away: (cause) => context.log.warn({ error: cause }, "events of other workstations are not received"),
      });
    },
    close: async () => stop?.(),
  };
}

type Sharing<Name extends DesktopEventName> = {
  /** Ids that its messages contain; null for one message without ids. */
  ids(payload: DesktopEventPayload<Name>): readonly string[] | null;
  /** Publishes a received event with the present content of the store. */
  republish(context: DesktopContext, ids: readonly string[]): Promise<void>;
};

const films = { republish: republishFilms };

/** How events are shared; null for an event about one workstation, which others do not receive. */
const sharing: { readonly [Name in DesktopEventName]: Sharing<Name> | null } = {
  "film.changed": { ids: ({ film }) => [film.id], ...films },
  "film.removed": { ids: ({ filmIds }) => filmIds, ...films },
  "annotations.changed": {
    ids: ({ filmId }) => [filmId],
    async republish({ db, publish }, ids) {
      for (const filmId of ids) {
        const version = (await getLatestAnnotations(db, filmId))?.version;
        if (version !== undefined) publish({ name: "annotations.changed", payload: { filmId, version } });
      }
    },
  },
  "keys.revoked": {
    ids: ({ keyId }) => [keyId],
    async republish({ publish }, ids) {
      for (const keyId of ids) publish({ name: "keys.revoked", payload: { keyId } });
    },
  },
  "settings.changed": {
    ids: () => null,
    republish: async ({ db, publish }) =>
      publish({ name: "settings.changed", payload: { settings: await getDesktopSettings(db) } }),
  },
  "ranges.changed": {
    ids: () => null,
    republish: async (context) =>
      context.publish({ name: "ranges.changed", payload: { ranges: await listOwnRanges(context) } }),
  },
  "patients.changed": withoutContent("patients.changed"),
  "ledger.changed": withoutContent("ledger.changed"),
  "screenings.changed": withoutContent("screenings.changed"),
  "publishers.changed": withoutContent("publishers.changed"),
  "session.changed": withoutContent("session.changed"),
  "dicom.changed": withoutContent("dicom.changed"),
  "folders.changed": withoutContent("folders.changed"),
  "openFilms.changed": withoutContent("openFilms.changed"),
  "files.leftAlone": null,
  "updates.changed": null,
  "server.changed": null,
  "packs.changed": null,
  "troubles.changed": null,
  "queue.changed": null,
  "encryption.changed": null,
  "orders.changed": null,
  "events.missed": null,
  "dicom.sending": null,
  "pacs.fetching": null,
  "backup.progress": null,
  "opening.asked": null,
  fault: null,
  "menu.command": null,
};

function withoutContent(
  name:
    | "patients.changed"
    | "ledger.changed"
    | "screenings.changed"
    | "publishers.changed"
    | "session.changed"
    | "dicom.changed"
    | "folders.changed"
    | "openFilms.changed",
) {
  return { ids: () => null, republish: async ({ publish }: DesktopContext) => publish({ name, payload: {} }) };
}

/** Messages of an event: several if its ids do not fit into one. */
function messagesOf({ name, payload }: DesktopEvent): readonly Message[] {
  const shared: Sharing<never> | null = sharing[name];
  if (shared === null) return [];
  const ids = shared.ids(payload as never);
  if (ids === null) return [{ name, ids: [] }];
  const parts: Message[] = [];
  for (let from = 0; from < ids.length; from += idsOfMessage)
    parts.push({ name, ids: ids.slice(from, from + idsOfMessage) });
  return parts;
}

async function republishFilms(context: DesktopContext, filmIds: readonly string[]): Promise<void> {
  for (const id of filmIds) {
    if ((await findFilm(context.db, id)) === null) await publishRemoval(context, [id]);
    else await publishFilms(context, [id]);
  }
}
