import { readFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { v3Routes } from "../../core/contract/v3/routes.ts";
import { programDir } from "../../main/program.ts";
import { createFuzzer, type FuzzMaterial, type FuzzRequest } from "./request-fuzzer.ts";
import { faultOfResponse } from "./response-check.ts";
import type { OwnService } from "../../tools/own-service.ts";
import type { ServiceAnswer } from "../../tools/service-client.ts";

export type FuzzReport = {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly sessions: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
  readonly failures: readonly { readonly number: number; readonly why: string; readonly request: string }[];
};

const concurrentClients = 8;
const mostFailures = 20;
/** Number of concurrent capture sessions: few, so that each one is completed. */
const liveSessions = 2;

export async function runFuzz(service: OwnService, key: string, seed: number, requests: number): Promise<FuzzReport> {
  const sessions = await createSessions(service, key);
  const next = createFuzzer(seed, { key, ...(await makeMaterial()), liveSession: sessions.live });
  const statuses: Record<string, Record<string, number>> = {};
  const failures: { number: number; why: string; request: string }[] = [];
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < requests && failures.length < mostFailures) {
      const number = sent++;
      const request = next();
      const answer = await service
        .send(request.method, request.path, request.body, request.headers)
        .catch((error: unknown) => `no answer: ${String(error)}`);
      const why = typeof answer === "string" ? answer : faultOfResponse(request, answer);
      if (typeof answer !== "string") {
        const ofPath = (statuses[request.path] ??= {});
        ofPath[answer.status] = (ofPath[answer.status] ?? 0) + 1;
        await sessions.follow(request, answer);
      }
      if (why !== null)
        failures.push({
          number,
          why,
          request: `${request.method} ${request.path} ${request.body.toString("latin1").slice(0, 200)}`,
        });
    }
  };
  await Promise.all(Array.from({ length: concurrentClients }, client));
  if (service.child.exitCode !== null || service.child.signalCode !== null)
    failures.push({ number: sent, why: "the service ended", request: "" });
  return { requests: sent, statuses, sessions: sessions.ended, complaints: service.complaints, failures };
}

/** Violated rules of a run, which proves nothing unless each path returned 200 and a session ended. */
export function fuzzFaultsOf({ failures, complaints, statuses, sessions }: FuzzReport): string[] {
  const posts = v3Routes.filter(({ method }) => method === "POST");
  return [
    ...failures.map(({ number, why }) => `request ${number}: ${why}`),
    ...complaints.map((line) => `the service reported: ${line}`),
    ...posts.filter((route) => !statuses[route.path]?.["200"]).map((route) => `${route.path} never returned 200`),
    ...(Object.keys(sessions).length > 0 ? [] : ["no capture session ended"]),
  ];
}

/** Keeps a few capture sessions open, replacing those that have ended. */
async function createSessions(service: OwnService, key: string) {
  const start = async (): Promise<string> => {
    const { text } = await service.post(key, "/v3/pop-session/start", {});
    return (JSON.parse(text) as { session_id: string }).session_id;
  };
  const ids = await Promise.all(Array.from({ length: liveSessions }, start));
  const ended: Record<string, number> = {};
  let turn = 0;
  return {
    ended,
    live: () => ids[turn++ % ids.length] as string,
    async follow({ path: asked }: FuzzRequest, { status, text }: ServiceAnswer): Promise<void> {
      if (asked !== "/v3/pop-session" || status !== 200) return;
      const { session_id: id, session_status: state } = JSON.parse(text) as {
        session_id: string;
        session_status: string;
      };
      const place = ids.indexOf(id);
      // Frames in flight when the session ended receive the same response again.
      if (place === -1 || (state !== "complete" && state !== "failed")) return;
      ended[state] = (ended[state] ?? 0) + 1;
      ids[place] = await start();
    },
  };
}

async function makeMaterial(): Promise<Pick<FuzzMaterial, "plain" | "telling">> {
  const grey = sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 80, g: 80, b: 80 } } });
  const small = (file: string) =>
    sharp(readFileSync(path.join(programDir, "test", "fixtures", file)))
      .resize({ width: 480 })
      .jpeg({ quality: 80 })
      .toBuffer();
  return {
    plain: await Promise.all([grey.clone().png().toBuffer(), grey.clone().jpeg().toBuffer()]),
    telling: await Promise.all([small("films/dog-05.jpg"), small("session/frame-3.jpg")]),
  };
}
