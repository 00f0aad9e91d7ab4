import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import { responses } from "../dimse.ts";
import { statusText } from "../status-text.ts";
import { isPending, type QueryResponse } from "./query-association.ts";
import type { Match } from "./query-calls.ts";

/** Longest value that is taken from a match [characters], and how many values of one element. */
const limits = { characters: 256, values: 20 } as const;
/** Sub-operations completed, one or more with failures or warnings. @see DICOM PS3.4 table C.4-2 */
const someFailed = 0xb000;

/** The match in a pending answer; null where it has none. */
export function matchOf(response: QueryResponse): Match | null {
  const elements = response.getDataset()?.getElements();
  return elements === undefined ? null : matchOfElements(elements);
}

/** A match out of elements by their names. */
export function matchOfElements(elements: Readonly<Record<string, unknown>>): Match {
  return Object.fromEntries(
    Object.entries({ ...elements, ...firstItem(elements["ScheduledProcedureStepSequence"]) }).flatMap(
      ([name, value]) => {
        const words = [value].flat().slice(0, limits.values).flatMap(wordsOf);
        return words.length === 0 ? [] : [[name, words.length === 1 ? (words[0] as string) : words]];
      },
    ),
  );
}

function firstItem(sequence: unknown): Readonly<Record<string, unknown>> {
  const [item] = [sequence].flat();
  return typeof item === "object" && item !== null ? { ...item } : {};
}

/** A text, a number, or a name, of which the alphabetic form counts. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value).trim().slice(0, limits.characters)];
  if (typeof value === "object" && value !== null && "Alphabetic" in value) return wordsOf(value.Alphabetic);
  return [];
}

/** How far the sub-operations are; null for a response that does not count them. */
export function countsOf(response: QueryResponse): FetchProgress | null {
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

/** null for success, for what is under way, and where some objects failed, which the counts say. */
export function faultOf(response: QueryResponse): SendFailure | null {
  const status = response.getStatus();
  if (status === 0 || status === someFailed || isPending(response)) return null;
  return { reason: status === 0xa801 ? "destination-unknown" : "query-refused", detail: statusText(status) };
}
