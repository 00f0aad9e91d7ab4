import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { dateChoices, descriptorChoices } from "../../../deidentification/attribute-action.ts";
import { languageCodes } from "../../../language/languages.ts";
import { sendFailure } from "./dicom.ts";
import { download, exportId, id, textFile } from "../shapes.ts";

const share = z.number().min(0).max(1);
/** A rectangle of the measured picture, as fractions of its sides from the top left corner. */
const area = z.strictObject({ x: share, y: share, width: share, height: share });

const contents = ["dicom", "picture", "report", "table"] as const;

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

export const deidentifyContract = {
  /** `suspected`: areas with possible burned-in text; `said`: the file's Burned In Annotation. NOT_FOUND */
  "deidentify.look": {
    request: z.strictObject({ filmId: id }),
    response: z.object({ picture: download, suspected: z.array(area), said: z.enum(["yes", "no", "nothing"]) }),
    permission: "share",
  },
  /** `keyFile`: the patients behind the pseudonyms and the shift of their dates in days. */
  "deidentify.export": {
    request: z.strictObject({
      ...chosen,
      exportId,
      contents: z.array(z.enum(contents)).min(1),
      language: z.enum(languageCodes),
    }),
    response: z.object({ download, keyFile: textFile.nullable(), films: z.int(), skipped: z.array(id) }),
    permission: "share",
    isLong: true,
  },
  /** `films`: number sent completely; `skipped`: films without an image, and pictures without a reading. NOT_FOUND */
  "deidentify.send": {
    request: z.strictObject({ ...chosen, sendId: z.uuid(), nodeId: id }),
    response: z.object({
      keyFile: textFile.nullable(),
      films: z.int(),
      skipped: z.array(id),
      sentObjects: z.int(),
      failure: sendFailure.nullable(),
    }),
    permission: "share",
    isLong: true,
  },
} as const satisfies Channels;
