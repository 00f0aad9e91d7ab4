import type { AnsweredRequest } from "../../../core/contract/desktop/program.ts";

/** The most recent requests, shown in the window. */
export type RequestLog = {
  record(entry: AnsweredRequest): void;
  /** Oldest first. */
  entries(): readonly AnsweredRequest[];
};

/** Number of entries kept. */
const maxEntries = 500;

export function createRequestLog(): RequestLog {
  const kept: AnsweredRequest[] = [];
  return {
    record(entry) {
      kept.push(entry);
      if (kept.length > maxEntries) kept.shift();
    },
    entries: () => [...kept],
  };
}
