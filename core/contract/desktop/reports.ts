import { z } from "zod";
import type { Channels } from "../channel.ts";
import { languageCodes } from "../../language/languages.ts";
import { download, exportId, id } from "./shapes.ts";

const audience = z.enum(["owner", "veterinarian"]).default("veterinarian");

/** Omits values of other films that no user has measured or decided. */
const isReaderMode = z.boolean().default(false);

/** Whether the end of the findings was omitted to fit the owner's single page. */
const isShortened = z.boolean();

/** Audited exports for a single download. ABORTED after `jobs.cancel`; CONFLICT if the film has no reading. */
export const reportsContract = {
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
  /** `beside`: without attachment, the file is shown in its folder. NOT_AVAILABLE in a browser. */
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
  /** ZIP of the structured report, the annotated picture and, if it is not a DICOM object itself, the film. */
  "reports.dicom": {
    request: z.strictObject({ exportId, filmId: id }),
    response: z.object({ download }),
    permission: "share",
  },
  /** PNG for the clipboard. Without marks the film needs no reading. */
  "reports.picture": {
    request: z.strictObject({ exportId, filmId: id, language: z.enum(languageCodes), hasMarks: z.boolean() }),
    response: z.object({ download }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;
