import { z } from "zod";
import type { Channels } from "../channel.ts";
import { languageCodes } from "../../language/languages.ts";
import { film } from "./films.ts";
import { nothing } from "./shapes.ts";

export const sampleContract = {
  "sample.get": {
    request: nothing,
    response: z.object({ isLoaded: z.boolean() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Adds the films to the worklist under a patient of their own; existing ones remain. `language`: of its name. */
  "sample.load": {
    request: z.strictObject({ language: z.enum(languageCodes) }),
    response: z.object({ films: z.array(film) }),
    permission: "prepare",
    isLong: true,
  },
  /** Erases films and readings. A clinic's own film of that patient remains, without a patient. */
  "sample.remove": { request: nothing, response: nothing, permission: "administer" },
} as const satisfies Channels;
