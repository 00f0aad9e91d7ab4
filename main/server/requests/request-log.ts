/** One answered request. No patient data: no uuid, no bodies, no query. */
type RequestLogEntry = {
  readonly at: string;
  readonly method: string;
  /** The route's pattern, or the path without its query if no route matches. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly images: number;
};

/** The last requests, for the desktop to show. */
export type RequestLog = {
  record(entry: RequestLogEntry): void;
  /** Oldest first. */
  entries(): readonly RequestLogEntry[];
};

/** Entries kept; older ones fall out. */
const mostEntries = 500;

export function createRequestLog(): RequestLog {
  const kept: RequestLogEntry[] = [];
  return {
    record(entry) {
      kept.push(entry);
      if (kept.length > mostEntries) kept.shift();
    },
    entries: () => [...kept],
  };
}
