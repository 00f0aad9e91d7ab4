import { z } from "zod";
import { engineOf } from "../store/engines/engine.ts";
import { maxMessageBytes } from "../store/engines/bus.ts";
import { getLatestAnnotations } from "../store/films/annotations.ts";
import { findFilm } from "../store/films/films.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { getDesktopSettings } from "../services/desktop/desktop-settings.ts";
import { runInSequence } from "../services/measuring/run-in-sequence.ts";
import { listOwnRanges } from "../services/practice/own-ranges.ts";
import type { DomainEvent, DomainEventName, DomainEventPayload } from "../services/domain-events.ts";
import { publishFilms, publishRemoval } from "../services/worklist/film-events.ts";

/** Exchanges domain events with the practice's other workstations. */
export type OtherMachines = {
  /** Sends an event's name and ids, without its content; ignores events about this workstation. */
  send(event: DomainEvent): void;
  start(): Promise<void>;
  close(): Promise<void>;
};

const message = z.object({ name: z.string(), ids: z.array(z.string()) });
type Message = z.infer<typeof message>;

/** Number of ids that fit into a message; each takes 39 bytes with quotes and comma. */
const idsOfMessage = Math.floor((maxMessageBytes - 100) / 40);

export function createOtherMachines(context: DesktopContext): OtherMachines {
  const received: DesktopContext = { ...context, raise: (event) => context.raise(event, "elsewhere") };
  const { driver, bus } = engineOf(context.db);
  let stop: (() => Promise<void>) | null = null;
  const receive = async (text: string) => {
    const { name, ids } = message.parse(JSON.parse(text));
    // A newer program may send events that this one does not have.
    if (Object.hasOwn(sharing, name)) await sharing[name as DomainEventName]?.receive(received, ids);
  };
  const warn = (error: unknown) => context.log.warn({ error }, "an event of another workstation was lost");
  return {
    send(event) {
      if (bus === null) return;
      const texts = messagesOf(event).map((each) => JSON.stringify(each));
      // Receivers query the store, which must contain the change.
      driver.afterCommit(async () => texts.forEach((text) => bus.send(text))).catch(warn);
    },
    async start() {
      if (bus === null) return;
      stop = await bus.listen({
        received: (text) => void runInSequence("events of other workstations", () => receive(text)).catch(warn),
        missed: () => received.raise({ name: "events.missed", payload: {} }),
        away: (cause) => context.log.warn({ error: cause }, "events of other workstations are not received"),
      });
    },
    close: async () => stop?.(),
  };
}

type Sharing<Name extends DomainEventName> = {
  /** Ids that its messages contain; null for one message without ids. */
  ids(payload: DomainEventPayload<Name>): readonly string[] | null;
  /** Raises a received event with the present content of the store. */
  receive(context: DesktopContext, ids: readonly string[]): Promise<void>;
};

/** How events are shared; null for an event about this workstation, which others do not receive. */
const sharing: { readonly [Name in DomainEventName]: Sharing<Name> | null } = {
  "film.changed": { ids: ({ film }) => [film.id], receive: receiveFilms },
  "film.removed": { ids: ({ filmIds }) => filmIds, receive: receiveFilms },
  "annotations.changed": {
    ids: ({ filmId }) => [filmId],
    async receive({ db, raise }, ids) {
      for (const filmId of ids) {
        const version = (await getLatestAnnotations(db, filmId))?.version;
        if (version !== undefined) raise({ name: "annotations.changed", payload: { filmId, version } });
      }
    },
  },
  "keys.revoked": {
    ids: ({ keyId }) => [keyId],
    async receive({ raise }, ids) {
      for (const keyId of ids) raise({ name: "keys.revoked", payload: { keyId } });
    },
  },
  "settings.changed": {
    ids: () => null,
    receive: async ({ db, raise }) =>
      raise({ name: "settings.changed", payload: { settings: await getDesktopSettings(db) } }),
  },
  "ranges.changed": {
    ids: () => null,
    receive: async (context) =>
      context.raise({ name: "ranges.changed", payload: { ranges: await listOwnRanges(context) } }),
  },
  "patients.changed": withoutContent("patients.changed"),
  "ledger.changed": withoutContent("ledger.changed"),
  "screenings.changed": withoutContent("screenings.changed"),
  "publishers.changed": withoutContent("publishers.changed"),
  "session.changed": withoutContent("session.changed"),
  "dicom.changed": withoutContent("dicom.changed"),
  "folders.changed": withoutContent("folders.changed"),
  "openFilms.changed": withoutContent("openFilms.changed"),
  "troubles.changed": null,
  "events.missed": null,
};

function withoutContent(
  name: Extract<DomainEvent, { payload: Readonly<Record<string, never>> }>["name"] | "openFilms.changed",
): Sharing<never> {
  return { ids: () => null, receive: async ({ raise }) => raise({ name, payload: {} }) };
}

/** Messages of an event: several if its ids do not fit into one. */
function messagesOf({ name, payload }: DomainEvent): readonly Message[] {
  const shared: Sharing<never> | null = sharing[name];
  if (shared === null) return [];
  const ids = shared.ids(payload as never);
  if (ids === null) return [{ name, ids: [] }];
  const parts: Message[] = [];
  for (let from = 0; from < ids.length; from += idsOfMessage)
    parts.push({ name, ids: ids.slice(from, from + idsOfMessage) });
  return parts;
}

async function receiveFilms(context: DesktopContext, filmIds: readonly string[]): Promise<void> {
  for (const id of filmIds) {
    if ((await findFilm(context.db, id)) === null) await publishRemoval(context, [id]);
    else await publishFilms(context, [id]);
  }
}
