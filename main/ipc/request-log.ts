import type { DesktopResponse } from "../../core/contract/desktop.ts";

/** A call that was answered: the route's pattern instead of its path, so that no patient is in it. */
export type LoggedRequest = DesktopResponse<"server.requests">["requests"][number];

/** The last calls of the API, for the user to see; in memory only. */
export type RequestLog = {
  add(request: LoggedRequest): void;
  /** Newest first. */
  latest(limit: number): LoggedRequest[];
};

/** Keeps the newest entries and forgets the others. */
export function createRequestLog(capacity = 1000): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    add(request) {
      entries.push(request);
      if (entries.length > capacity) entries.shift();
    },
    latest: (limit) => entries.slice(-limit).reverse(),
  };
}
