import { z } from "zod";
import { dateChoices, descriptorChoices } from "../../deidentification/attribute-action.ts";
import { languageCodes } from "../../language/languages.ts";
import { sendFailure } from "./network/dicom.ts";
import { download, id, textFile } from "./shapes.ts";

const share = z.number().min(0).max(1);
/** A rectangle of the picture that is measured, in shares of its sides from its upper left corner. */
const area = z.strictObject({ x: share, y: share, width: share, height: share });

/** What a de-identified export can hold. */
const contents = ["dicom", "picture", "report", "table"] as const;

/** Films that a person has looked at, with what is to be blanked of each, and the options of the profile. */
const chosen = {
  films: z
    .array(z.strictObject({ filmId: id, areas: z.array(area).max(50) }))
    .min(1)
    .max(1000),
  dates: z.enum(dateChoices),
  descriptors: z.enum(descriptorChoices),
  keepsPatient: z.boolean(),
  withKeyFile: z.boolean(),
};

/** Films without the names of patient and owner. */
export const deidentifyContract = {
  /**
   * Where a film's picture may have text burned in: a guess that a person has to check. `said`: what its file says
   * about burned-in annotation. `picture`: a JPEG that can be fetched once. NOT_FOUND when the film is gone or its
   * image is not kept.
   */
  "deidentify.look": {
    request: z.strictObject({ filmId: id }),
    response: z.object({ picture: download, suspected: z.array(area), said: z.enum(["yes", "no", "nothing"]) }),
  },
  /**
   * A ZIP of films, results, handouts and values after PS3.15's basic profile. A person has looked at each film and
   * says what is to be blanked. `keyFile`: who stands behind which pseudonym, and by how many days dates were moved.
   */
  "deidentify.export": {
    request: z.strictObject({
      ...chosen,
      contents: z.array(z.enum(contents)).min(1),
      language: z.enum(languageCodes),
    }),
    response: z.object({ download, keyFile: textFile.nullable(), films: z.int(), skipped: z.array(id) }),
  },
  /**
   * The same films and results as DICOM objects, to a node. `films`: taken whole; `skipped`: without an image, or a
   * picture that nobody has read. `dicom.sending` counts objects, `dicom.cancelSend` ends it. NOT_FOUND when the
   * node is gone.
   */
  "deidentify.send": {
    request: z.strictObject({ ...chosen, sendId: z.uuid(), nodeId: id }),
    response: z.object({
      keyFile: textFile.nullable(),
      films: z.int(),
      skipped: z.array(id),
      sentObjects: z.int(),
      failure: sendFailure.nullable(),
    }),
  },
} as const;
