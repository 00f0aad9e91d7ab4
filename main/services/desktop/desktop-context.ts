import type { DesktopEvent } from "../../../core/contract/desktop/events.ts";
import type { DomainEvent, DomainEvents } from "../domain-events.ts";
import type { Secrets } from "./secrets.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import type { DecodedFilm } from "../measuring/decoded-film.ts";

export type DesktopContext = ServiceContext & {
  readonly raise: DomainEvents["raise"];
  /** Sends an event to the pages of this program only. */
  readonly publish: (event: Exclude<DesktopEvent, DomainEvent>) => void;
  readonly secrets: Secrets;
  readonly decodedFilm: DecodedFilm;
};
