import { z } from "zod";
import { languageCodes } from "../../language/languages.ts";
import { download, exportId, id, nothing } from "./shapes.ts";

/**
 * Results of a film to share. Each answers with a file that can be fetched once, and stands in the audit trail
 * from then on. The page makes the `exportId`, to cancel it: ABORTED then. CONFLICT when the film has no reading.
 */
export const reportsContract = {
  /** Handout for owner and file, PDF. */
  "reports.handOut": {
    request: z.strictObject({
      exportId,
      filmId: id,
      language: z.enum(languageCodes),
      way: z.enum(["hand_out", "mail"]).default("hand_out"),
    }),
    response: z.object({ download }),
  },
  /**
   * Starts a message with the handout in the user's mail program. `attached`: it holds the handout; `beside`: it
   * holds the words alone, and the file is shown in its folder; `cancelled`: none was begun, and nothing of it stays.
   * NOT_AVAILABLE to a page in a browser, which begins it itself.
   */
  "reports.mail": {
    request: z.strictObject({
      exportId,
      filmId: id,
      language: z.enum(languageCodes),
      subject: z.string().max(300),
      body: z.string().max(2000),
    }),
    response: z.object({ way: z.enum(["attached", "beside", "cancelled"]), fileName: z.string() }),
  },
  /** ZIP of the structured report, the annotated picture and, where the film was no DICOM object, the film. */
  "reports.dicom": { request: z.strictObject({ exportId, filmId: id }), response: z.object({ download }) },
  /**
   * Cancels any of these and `films.exportAnnotated` while it is made; what is made already stays, as a message that is
   * open does, and cancelling it is not an error.
   */
  "reports.cancel": { request: z.strictObject({ exportId }), response: nothing },
} as const;
