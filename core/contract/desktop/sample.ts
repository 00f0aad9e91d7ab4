import { z } from "zod";
import { languageCodes } from "../../language/languages.ts";
import { film } from "./films.ts";
import { nothing } from "./shapes.ts";

/** The sample study: simulated films to try the program on. */
export const sampleContract = {
  "sample.get": { request: nothing, response: z.object({ isLoaded: z.boolean() }) },
  /**
   * Puts the films on the worklist under a patient of their own; what is there already stays. `language`: of its name.
   */
  "sample.load": {
    request: z.strictObject({ language: z.enum(languageCodes) }),
    response: z.object({ films: z.array(film) }),
  },
  /**
   * Erases films and readings. A film of the clinic's own that somebody gave to that patient stays, without patient.
   */
  "sample.remove": { request: nothing, response: nothing },
} as const;
