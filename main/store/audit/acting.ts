import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "../../../core/people/audit-actions.ts";

const actors = new AsyncLocalStorage<Actor>();

/** Actor of work that the program starts without a user. */
export const programActor: Actor = { via: "program", personId: null, who: null };

/**
 * Runs `act` on behalf of an actor; every record written within, at any depth, names this actor. Called only at entry
 * points (page call, keyed request, command), after authentication.
 */
export function runAsActor<T>(actor: Actor, act: () => T): T {
  return actors.run(actor, act);
}

export function currentActor(): Actor {
  return actors.getStore() ?? programActor;
}
