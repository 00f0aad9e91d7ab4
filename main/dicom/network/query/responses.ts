import { z } from "zod";
import { AppError } from "../../../../core/app-error.ts";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import { readDicomFile } from "../../dicom-file.ts";
import type { DicomElements } from "../../elements/dicom-elements.ts";
import { standardKeyword } from "../../elements/standard-representation.ts";
import { responses } from "../dimse.ts";
import { part10Header } from "../../writing/part-10.ts";
import { statusText } from "../status-text.ts";
import { isPending, type Response } from "../requesting-association.ts";
import type { Match } from "./query-calls.ts";

/** Maximum length of a value [characters], and maximum number of values per element. */
const limits = { characters: 256, values: 20 } as const;
const scheduledSteps = "00400100";
/** @see DICOM PS3.18 F.2.2 */
const group = z.string().optional();
const personInJson = z.object({ Alphabetic: group, Ideographic: group, Phonetic: group });
/** Sub-operations completed, one or more with failures or warnings. @see DICOM PS3.4 table C.4-2 */
const someFailed = 0xb000;

/**
 * Reads the match in a pending response; null if it is unreadable. The library would decode its texts by the first
 * character set only, without one as Latin-1.
 */
export function matchOf(dataSet: Buffer, transferSyntaxUid: string): Match | null {
  try {
    return matchOfElements(
      namedValues(readDicomFile(Buffer.concat([part10Header({ ...nameless, transferSyntaxUid }), dataSet]))),
    );
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const nameless = { sopClassUid: "", sopInstanceUid: "", sourceAeTitle: "" } as const;

/** Texts of a match's elements by keyword, including those of the first scheduled procedure step. */
function namedValues(elements: DicomElements): Readonly<Record<string, readonly string[]>> {
  const texts = elements.tags().flatMap((tag) => {
    const keyword = standardKeyword(tag);
    return keyword === null ? [] : [[keyword, elements.texts(tag)] as const];
  });
  const [step] = elements.items(scheduledSteps);
  return { ...Object.fromEntries(texts), ...(step && namedValues(step)) };
}

export function matchOfElements(elements: Readonly<Record<string, unknown>>): Match {
  return Object.fromEntries(
    Object.entries(elements).flatMap(([name, value]) => {
      const words = [value].flat().slice(0, limits.values).flatMap(wordsOf);
      return words.length === 0 ? [] : [[name, words.length === 1 ? (words[0] as string) : words]];
    }),
  );
}

/** Converts a text, a number, or a person name in DICOM JSON, whose component groups are joined by `=`. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value).trim().slice(0, limits.characters)];
  const { success, data } = personInJson.safeParse(value);
  if (!success) return [];
  const groups = [data.Alphabetic, data.Ideographic, data.Phonetic].map((each) => each?.trim() ?? "");
  const name = groups.join("=").replace(/=+$/, "");
  return name === "" ? [] : wordsOf(name);
}

export function countsOf(response: Response): FetchProgress | null {
  if (!(response instanceof responses.CMoveResponse || response instanceof responses.CGetResponse)) return null;
  const [completed, failed, warned, remaining] = [
    response.getCompleted(),
    response.getFailures(),
    response.getWarnings(),
    response.getRemaining(),
  ].map((count) => (Number.isInteger(count) && count >= 0 ? count : 0)) as [number, number, number, number];
  const fetchedObjects = completed + warned;
  return { fetchedObjects, failedObjects: failed, objects: fetchedObjects + failed + remaining };
}

/** Failure of a request; null on success, for a pending response, and if only some objects failed (see the counts). */
export function faultOf(response: Response): SendFailure | null {
  const status = response.getStatus();
  if (status === 0 || status === someFailed || isPending(response)) return null;
  return { reason: status === 0xa801 ? "destination-unknown" : "query-refused", detail: statusText(status) };
}
