import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "../../../core/people/audit-actions.ts";

const actors = new AsyncLocalStorage<Actor>();

/** What the program does of itself. */
export const theProgram: Actor = { via: "program", personId: null, who: null };

/**
 * Does something in a person's name: what it records names him, however deep it lies. Only a door says this (a call of
 * the page, a request with a key, a command), once it has found out who is there.
 */
export function actingAs<T>(actor: Actor, act: () => T): T {
  return actors.run(actor, act);
}

/** Who acts at the moment; the program itself where no door said otherwise. */
export function currentActor(): Actor {
  return actors.getStore() ?? theProgram;
}
