import { z } from "zod";
import { matchOfElements } from "../query/responses.ts";
import type { Match, WorklistIdentifier } from "../query/query-calls.ts";

/** Requested and returned elements, by keyword. @see DICOM PS3.6 */
const tags: Readonly<Record<string, string>> = {
  StudyInstanceUID: "0020000D",
  StudyDate: "00080020",
  PatientName: "00100010",
  PatientID: "00100020",
  ResponsiblePerson: "00102297",
  AccessionNumber: "00080050",
  ModalitiesInStudy: "00080061",
  StudyDescription: "00081030",
  NumberOfStudyRelatedInstances: "00201208",
};

/** @see DICOM PS3.18 F.2 */
const element = z.object({ Value: z.array(z.unknown()).optional() });

/** Converts an identifier of C-FIND to query parameters of QIDO-RS. @see DICOM PS3.18 8.3.4 */
export function searchParameters(
  identifier: WorklistIdentifier,
  page: { readonly limit: number; readonly offset: number },
): string {
  const parameters = new URLSearchParams();
  for (const [keyword, tag] of Object.entries(tags)) {
    const value = identifier[keyword];
    if (typeof value !== "string") continue;
    if (value !== "") parameters.append(tag, value);
    else parameters.append("includefield", tag);
  }
  parameters.append("limit", String(page.limit));
  if (page.offset > 0) parameters.append("offset", String(page.offset));
  return parameters.toString();
}

/**
 * Whether a Warning header reports more matches. The warning about fuzzy matching has the same code.
 *
 * @see DICOM PS3.18 8.3.4.4 and 8.3.4.2
 */
export function reportsMore(warning: string): boolean {
  return warning.split(/,\s*(?=\d{3}\s)/).some((one) => /^\s*299\s/.test(one) && !/fuzzy/i.test(one));
}

export function matchOfJson(object: unknown): Match | null {
  const read = z.record(z.string(), z.unknown()).safeParse(object);
  if (!read.success) return null;
  const named = Object.entries(tags).flatMap(([keyword, tag]) => {
    const { success, data } = element.safeParse(read.data[tag]);
    return success && data.Value ? [[keyword, data.Value] as const] : [];
  });
  return matchOfElements(Object.fromEntries(named));
}

const reference = z.object({ "00081155": element.optional(), "00081197": element.optional() }).catch({});
const storeAnswer = z.object({
  "00081199": z.object({ Value: z.array(reference).catch([]) }).optional(),
  "00081198": z.object({ Value: z.array(reference).catch([]) }).optional(),
});

/** Reads a server's response to STOW-RS; null for any other content. @see DICOM PS3.18 table I.1-1 */
export function readStoreAnswer(
  text: string,
): { readonly kept: ReadonlySet<unknown>; readonly failureReason: number | null } | null {
  try {
    const answer = storeAnswer.parse(JSON.parse(text));
    const failed = answer["00081198"]?.Value ?? [];
    const reason = failed[0]?.["00081197"]?.Value?.[0];
    return {
      kept: new Set((answer["00081199"]?.Value ?? []).map((one) => one["00081155"]?.Value?.[0])),
      failureReason: failed.length === 0 ? null : typeof reason === "number" ? reason : 0,
    };
  } catch {
    return null;
  }
}
