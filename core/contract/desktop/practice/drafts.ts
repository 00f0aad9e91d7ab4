import { z } from "zod";

/** How a machine whose store is in the practice's database stands to it. */
export const draftState = z.object({
  /** The database does not answer. */
  isAway: z.boolean(),
  /** What is opened now is kept on this machine. */
  isOnDrafts: z.boolean(),
  /** Films that wait on this machine to be handed over. */
  films: z.int(),
});
export type DraftState = z.output<typeof draftState>;

/** Films that are opened while the practice's database is away. */
export const draftsContract = {
  /** null: the store is in a file of this machine, or there is no draft to report. */
  "drafts.get": { request: z.strictObject({}), response: z.object({ state: draftState.nullable() }) },
  /** From now on films are kept on this machine. Refused while the database answers. */
  "drafts.begin": { request: z.strictObject({}), response: z.object({ state: draftState }) },
  /** The database answers again: what was kept here goes there. */
  "drafts.handOver": { request: z.strictObject({}), response: z.object({ state: draftState }) },
} as const;
