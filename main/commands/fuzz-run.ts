import { errorBody } from "../../core/contract/v3.ts";
import type { FuzzRequest } from "./fuzz-bodies.ts";
import type { OwnService } from "./own-service.ts";

/** What a run showed: a failure is a 500, an answer out of shape, or a service that is no longer there. */
export type FuzzReport = {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly number: number; readonly why: string; readonly request: string }[];
};

const mostFailures = 20;
/** Statuses that are answers, not faults. */
const expected = new Set([200, 204, 400, 403, 404, 405, 413, 415, 422, 429, 503]);

/** Sends requests from a few clients at once and judges every answer. */
export async function runFuzz(service: OwnService, next: () => FuzzRequest, requests: number, clients = 8): Promise<FuzzReport> {
  const statuses: Record<string, number> = {};
  const failures: { number: number; why: string; request: string }[] = [];
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < requests && failures.length < mostFailures) {
      const number = sent++;
      const request = next();
      const why = await judge(service, request, statuses);
      if (why !== null) failures.push({ number, why, request: `${request.method} ${request.path} ${request.body.toString("latin1").slice(0, 200)}` });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  if (service.child.exitCode !== null || service.child.signalCode !== null) failures.push({ number: sent, why: "the service ended", request: "" });
  return { requests: sent, statuses, failures };
}

async function judge(service: OwnService, { method, path, headers, body }: FuzzRequest, statuses: Record<string, number>): Promise<string | null> {
  try {
    const { status, text } = await service.send(method, path, body, headers);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (!expected.has(status)) return `status ${status}`;
    return status < 400 || errorBody.safeParse(JSON.parse(text)).success ? null : `an error out of shape: ${text.slice(0, 100)}`;
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}
