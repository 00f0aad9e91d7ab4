import { z } from "zod";
import { languageCodes } from "../../language/languages.ts";
import { download, id } from "./shapes.ts";

/**
 * Results of a film to share. Each answers with a file that can be fetched once. CONFLICT when the film has no reading.
 */
export const reportsContract = {
  /** Hand-out for owner and file, PDF. */
  "reports.handOut": {
    request: z.strictObject({ filmId: id, language: z.enum(languageCodes) }),
    response: z.object({ download }),
  },
  /** ZIP of the structured report, the annotated picture and, where the film was no DICOM object, the film. */
  "reports.dicom": { request: z.strictObject({ filmId: id }), response: z.object({ download }) },
} as const;
