import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "../../../core/people/audit-actions.ts";

const actors = new AsyncLocalStorage<Actor>();

/** Actor of work that the program starts without a user. */
export const programActor: Actor = { via: "program", personId: null, who: null };

/** Runs `act` on behalf of an authenticated actor, named by every record within. Called at entry points only. */
export function runAsActor<T>(actor: Actor, act: () => T): T {
  return actors.run(actor, act);
}

export function currentActor(): Actor {
  return actors.getStore() ?? programActor;
}
