import type { Failure } from "../../core/contract/desktop/shapes.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { OwnRange } from "../../core/cardiac/reference/own-range.ts";
import type { Settings } from "../../core/contract/desktop/settings.ts";

type NoContent = Readonly<Record<string, never>>;

type Payloads = {
  "film.changed": { readonly film: Film };
  "film.removed": { readonly filmIds: string[] };
  "annotations.changed": { readonly filmId: string; readonly version: number };
  /** `session` identifies the page that opened or closed a film. */
  "openFilms.changed": { readonly session?: string | undefined };
  "patients.changed": NoContent;
  "settings.changed": { readonly settings: Settings };
  "ranges.changed": { readonly ranges: OwnRange[] };
  "publishers.changed": NoContent;
  /** Current problems with the record, disk or clock; empty once all are resolved. */
  "troubles.changed": { readonly troubles: Failure[] };
  "keys.revoked": { readonly keyId: string };
  "ledger.changed": NoContent;
  "screenings.changed": NoContent;
  /** A person signed in or out, or the people or their permissions changed. */
  "session.changed": NoContent;
  "dicom.changed": NoContent;
  "folders.changed": NoContent;
  /** Events of other workstations may have been missed. */
  "events.missed": NoContent;
};

export type DomainEventName = keyof Payloads;
export type DomainEventPayload<Name extends DomainEventName> = Payloads[Name];

/**
 * A change of the practice's data. Services raise it; pages, HL7 destinations, other workstations and services
 * subscribe to it.
 */
export type DomainEvent = {
  [Name in DomainEventName]: { readonly name: Name; readonly payload: Payloads[Name] };
}[DomainEventName];

/** Workstation on which the change was made. */
export type Origin = "here" | "elsewhere";

export type DomainEvents = {
  raise(event: DomainEvent, origin?: Origin): void;
  /** Calls the listener synchronously, within the transaction and the user of `raise`. */
  subscribe(listener: (event: DomainEvent, origin: Origin) => void): void;
};

export function createDomainEvents(): DomainEvents {
  const listeners: ((event: DomainEvent, origin: Origin) => void)[] = [];
  return {
    raise(event, origin = "here") {
      for (const listener of listeners) listener(event, origin);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
