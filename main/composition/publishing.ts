import type { DesktopEvent } from "../../core/contract/desktop.ts";
import type { EventHub } from "../ipc/event-hub.ts";
import type { MllpSender } from "../services/practice/mllp/mllp-sender.ts";
import type { OtherMachines } from "./other-machines.ts";

/** Subscribers that are made after the context whose `publish` reaches them. */
type Subscribers = {
  mllp(): MllpSender;
  others(): OtherMachines;
  reviewOpenFilms(): void;
};

/** Ways of an event: to the pages of this program only, or also to HL7 destinations and the other workstations. */
export function createPublishing(events: EventHub, { mllp, others, reviewOpenFilms }: Subscribers) {
  const publishLocally = (event: DesktopEvent) => {
    events.publish(event);
    if (event.name === "session.changed") reviewOpenFilms();
  };
  // An event of another workstation is published locally: that workstation sends its results itself.
  const publish = (event: DesktopEvent) => {
    publishLocally(event);
    if (event.name === "film.changed") mllp().note(event.payload.film);
    others().pass(event);
  };
  return { publishLocally, publish };
}
