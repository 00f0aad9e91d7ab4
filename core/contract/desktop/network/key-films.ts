import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { id, nothing, time } from "../shapes.ts";
import { uid } from "./pacs.ts";

const text = z.string().max(500).nullable();

/** A key object selection. null if the file does not state it. */
export const keyFilms = z.object({
  sopInstanceUid: uid,
  title: text,
  description: text,
  at: time.nullable(),
  patientName: text,
  patientId: text,
  films: z.array(
    z.object({
      studyInstanceUid: uid,
      seriesInstanceUid: uid,
      sopInstanceUid: uid,
      /** null if it is not on the worklist; `pacs.fetch` retrieves it. */
      filmId: id.nullable(),
    }),
  ),
});

/** Key object selections that were opened or received, latest first. */
export const keyFilmsContract = {
  "keyFilms.list": {
    request: z.strictObject({}),
    response: z.object({ lists: z.array(keyFilms) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "keyFilms.remove": {
    request: z.strictObject({ sopInstanceUid: uid }),
    response: nothing,
    permission: "prepare",
  },
} as const satisfies Channels;

export type KeyFilms = z.infer<typeof keyFilms>;
