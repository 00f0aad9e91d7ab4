import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { id, nothing } from "../shapes.ts";

/** What another program requested to show. */
const opening = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("patient"), patientId: id }),
  /** Several patients have this number; the user chooses among the search results. */
  z.object({ kind: z.literal("patients"), search: z.string() }),
  z.object({ kind: z.literal("film"), filmId: id }),
  /** A link to a file, which is opened after the user agrees. */
  z.object({ kind: z.literal("file"), openingId: z.uuid(), fileName: z.string(), folder: z.string() }),
]);

export const openingContract = {
  /** For the first page that claims it. NOT_FOUND, INVALID_FIELD, NOT_PERMITTED if it cannot be shown. */
  "opening.claim": {
    request: nothing,
    response: z.object({ opening: opening.nullable() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Opens the file of a link after the user agreed. `filmId` is null if the file contains no film. */
  "opening.import": {
    request: z.strictObject({ openingId: z.uuid() }),
    response: z.object({ filmId: id.nullable() }),
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type Opening = z.infer<typeof opening>;
