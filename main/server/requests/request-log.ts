import type { AnsweredRequest } from "../../../core/contract/desktop/program.ts";

/** The last requests, for the desktop to show. */
export type RequestLog = {
  record(entry: AnsweredRequest): void;
  /** Oldest first. */
  entries(): readonly AnsweredRequest[];
};

/** Entries kept; older ones fall out. */
const mostEntries = 500;

export function createRequestLog(): RequestLog {
  const kept: AnsweredRequest[] = [];
  return {
    record(entry) {
      kept.push(entry);
      if (kept.length > mostEntries) kept.shift();
    },
    entries: () => [...kept],
  };
}
