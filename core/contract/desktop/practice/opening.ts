import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { id, nothing } from "../shapes.ts";

/** What another program asked to see, found. */
const opening = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("patient"), patientId: id }),
  /** Several have this number: the person chooses among those that the search finds. */
  z.object({ kind: z.literal("patients"), search: z.string() }),
  z.object({ kind: z.literal("film"), filmId: id }),
  /** A link to a file: opened after a user agrees. */
  z.object({ kind: z.literal("file"), openingId: z.uuid(), fileName: z.string(), folder: z.string() }),
]);

/** Links and command lines that open a patient or a film in the running window. */
export const openingContract = {
  /**
   * The request that waits to be shown, for the first page that asks; null without one. NOT_FOUND, INVALID_FIELD,
   * NOT_PERMITTED if it cannot be shown.
   */
  "opening.claim": {
    request: nothing,
    response: z.object({ opening: opening.nullable() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Opens the file of a link after the user agreed. `filmId` null: the file contains no film. */
  "opening.import": {
    request: z.strictObject({ openingId: z.uuid() }),
    response: z.object({ filmId: id.nullable() }),
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type Opening = z.infer<typeof opening>;
