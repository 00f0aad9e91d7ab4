import { z } from "zod";
import { id, nothing } from "../shapes.ts";

/** What another program asked to see, found. */
const opening = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("patient"), patientId: id }),
  /** Several have this number: the person chooses among those that the search finds. */
  z.object({ kind: z.literal("patients"), search: z.string() }),
  z.object({ kind: z.literal("film"), filmId: id }),
  /** A link named a file: nothing is opened before a person has agreed. */
  z.object({ kind: z.literal("file"), openingId: z.uuid(), fileName: z.string(), folder: z.string() }),
]);

/** Links and command lines that open a patient or a film in the running window. */
export const openingContract = {
  /**
   * What waits to be shown, for the page that asks first; null when nothing does. NOT_FOUND, INVALID_FIELD,
   * NOT_PERMITTED for what was asked and cannot be shown.
   */
  "opening.take": { request: nothing, response: z.object({ opening: opening.nullable() }) },
  /** Opens the file of a link that a person agreed to. `filmId` null: it held no film. */
  "opening.import": {
    request: z.strictObject({ openingId: z.uuid() }),
    response: z.object({ filmId: id.nullable() }),
  },
} as const;

export type Opening = z.infer<typeof opening>;
