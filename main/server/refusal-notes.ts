import type { Log } from "../services/measuring/service-context.ts";

/** Period over which refusals of one kind are counted before they are logged again [ms]. */
const countingMs = 60_000;

/** Security log entry of a refused request; null for other responses. */
function refusalOf(status: number, url: string): { readonly security: string; readonly service: string } | null {
  const service = /^\/(v3|usg|app|eu)\b/.exec(url)?.[1] ?? "page";
  if (status === 421) return { security: "host.refused", service };
  if (status !== 401 && status !== 403) return null;
  return { security: service === "app" || service === "page" ? "page.refused" : "key.refused", service };
}

/** Writes refused requests to the security log: the first of a kind at once, further ones as a count per period. */
export function createRefusalNotes(log: Pick<Log, "warn">, everyMs = countingMs) {
  const counts = new Map<string, number>();
  return {
    note(status: number, url: string): void {
      const refusal = refusalOf(status, url);
      if (!refusal) return;
      const kind = `${refusal.security} ${refusal.service}`;
      const count = counts.get(kind);
      if (count !== undefined) return void counts.set(kind, count + 1);
      counts.set(kind, 0);
      log.warn(refusal, "request refused");
      const timer = setTimeout(() => {
        const more = counts.get(kind) ?? 0;
        counts.delete(kind);
        if (more > 0) log.warn({ ...refusal, count: more }, "further requests refused");
      }, everyMs);
      timer.unref();
    },
  };
}
