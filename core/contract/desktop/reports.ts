import { z } from "zod";
import type { Channels } from "../channel.ts";
import { languageCodes } from "../../language/languages.ts";
import { download, exportId, id } from "./shapes.ts";

const audience = z.enum(["owner", "veterinarian"]).default("veterinarian");

/** Leaves out values of other films that no user has measured or decided. */
const isReaderMode = z.boolean().default(false);

/** Whether the owner's one page leaves out the end of the findings. */
const isShortened = z.boolean();

/**
 * Results of a film to share. Each returns a file that can be fetched once and is recorded in the audit trail. The page
 * creates the `exportId`, with which `jobs.cancel` stops it: ABORTED then. CONFLICT if the film has no reading.
 */
export const reportsContract = {
  /** Handout for the owner or for a veterinarian, PDF. */
  "reports.handout": {
    request: z.strictObject({
      exportId,
      filmId: id,
      language: z.enum(languageCodes),
      audience,
      way: z.enum(["handout", "mail"]).default("handout"),
      isReaderMode,
    }),
    response: z.object({ download, isShortened }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
  /**
   * Starts a message with the handout in the user's mail program. `attached`: with the handout; `beside`: text only,
   * the file is shown in its folder; `cancelled`: no message. NOT_AVAILABLE to a page in a browser, which starts the
   * message itself.
   */
  "reports.mail": {
    request: z.strictObject({
      exportId,
      filmId: id,
      language: z.enum(languageCodes),
      audience,
      subject: z.string().max(300),
      body: z.string().max(2000),
      isReaderMode,
    }),
    response: z.object({ way: z.enum(["attached", "beside", "cancelled"]), fileName: z.string(), isShortened }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
  /** ZIP of the structured report, the annotated picture and, where the film was no DICOM object, the film. */
  "reports.dicom": {
    request: z.strictObject({ exportId, filmId: id }),
    response: z.object({ download }),
    permission: "share",
  },
  /**
   * PNG of a film for the clipboard: as it is, or with its reading and annotations. Without marks the film
   * needs no reading.
   */
  "reports.picture": {
    request: z.strictObject({ exportId, filmId: id, language: z.enum(languageCodes), hasMarks: z.boolean() }),
    response: z.object({ download }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;
