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
  /** Adds the simulated films, or returns existing ones. `language`: of their patient's name. */
  "sample.load": {
    request: z.strictObject({ language: z.enum(languageCodes) }),
    response: z.object({ films: z.array(film) }),
    permission: "prepare",
    isLong: true,
  },
  /** Erases the simulated films and their readings. Other films of that patient remain, unassigned. */
  "sample.remove": { request: nothing, response: nothing, permission: "administer" },
} as const satisfies Channels;
