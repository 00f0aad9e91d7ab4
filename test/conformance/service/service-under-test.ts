import { readFileSync } from "node:fs";
import https from "node:https";
import { openCorvet, type Corvet } from "../../../main/compose.ts";
import { afterAll, beforeAll, describe, it, type TestContext } from "vitest";
import { recordingEngine } from "../../fixtures/recording/recording-engine.ts";
import { createKey } from "../../../main/services/calls/keys.ts";
import { assertShape } from "../../main/server/service/answer-shape.ts";
import { temporaryDataDir } from "../../main/store/sample-store.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
};

export type ServiceUnderTest = {
  readonly baseUrl: string;
  readonly key: string;
  readonly authority: string | undefined;
  /** The program started by the suite; null if the suite runs against another service. */
  readonly own: OwnProgram | null;
  readonly isPopEnabled: boolean;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string | undefined>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string | undefined>): Promise<Answer>;
  close(): Promise<void>;
};

type OwnProgram = {
  readonly corvet: Corvet;
  readonly clock: { offsetMs: number };
};

const { CORVET_BASE_URL: baseUrl, CORVET_API_KEY: apiKey, CORVET_CA: authorityFile } = process.env;
if (baseUrl !== undefined && !apiKey)
  throw new Error("CORVET_BASE_URL is set, so CORVET_API_KEY must contain a key of that service");

/** Whether the suite runs against another service: CORVET_BASE_URL, CORVET_API_KEY and CORVET_CA, its issuer (PEM). */
export const isForeign = baseUrl !== undefined;

export const ownOnly = "needs the program's own clock, store or networks";

/** Describes rows that require the program started by the suite; skipped with the reason for another service. */
export const describeOwn = (name: string, rows: () => void): void =>
  void describe.skipIf(isForeign)(`${name} (${ownOnly})`, rows);
export const itOwn = (name: string, row: () => Promise<void> | void): void =>
  it.skipIf(isForeign)(`${name} (${ownOnly})`, row);

/** Opens the service for the tests of a file or describe block. Its properties are set before hooks and tests run. */
export function useServiceUnderTest(): ServiceUnderTest {
  const service = {} as ServiceUnderTest;
  beforeAll(async () => void Object.assign(service, await openServiceUnderTest()));
  afterAll(() => service.close());
  return service;
}

export const needsPop =
  (service: ServiceUnderTest) =>
  ({ skip }: TestContext): void =>
    skip(!service.isPopEnabled, "the PoP networks are not loaded");

async function openServiceUnderTest(): Promise<ServiceUnderTest> {
  if (baseUrl !== undefined) {
    const authority = authorityFile === undefined ? undefined : readFileSync(authorityFile, "utf8");
    return serviceAt({
      baseUrl: baseUrl.replace(/\/$/, ""),
      key: apiKey ?? "",
      authority,
      own: null,
      close: async () => undefined,
    });
  }
  const folder = temporaryDataDir();
  const clock = { offsetMs: 0 };
  const silent = () => undefined;
  const corvet = await openCorvet({
    engine: await recordingEngine(),
    dataDir: folder.dataDir,
    port: 0,
    log: { info: silent, warn: silent, error: (fields, message) => console.error(message, fields) },
    now: () => new Date(Date.now() + clock.offsetMs),
  });
  const { key } = await createKey(corvet.context.db, { accountName: "Clinic", name: "conformance", at: new Date() });
  return serviceAt({
    baseUrl: corvet.url,
    key,
    authority: readFileSync(`${folder.dataDir}/tls/authority.pem`, "utf8"),
    own: { corvet, clock },
    async close() {
      await corvet.close();
      folder.remove();
    },
  });
}

async function serviceAt(
  parts: Pick<ServiceUnderTest, "baseUrl" | "key" | "authority" | "own" | "close">,
): Promise<ServiceUnderTest> {
  const call: ServiceUnderTest["call"] = async (method, path, body, headers = {}) => {
    const answer = await send(parts, method, path, body, {
      "x-api-key": parts.key,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    });
    if (
      method !== "HEAD" &&
      path.startsWith("/v3/") &&
      String(answer.headers["content-type"]).startsWith("application/json")
    )
      assertShape(path, answer.status, answer.body);
    return answer;
  };
  const isPopEnabled = (await call("GET", "/v3/health")).body["pop_pipeline_enabled"] === true;
  return { ...parts, isPopEnabled, call, post: (path, body, headers) => call("POST", path, body, headers) };
}

function send(
  { baseUrl: url, authority }: Pick<ServiceUnderTest, "baseUrl" | "authority">,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string | undefined>,
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  // Sockets write a buffer much faster than a long string.
  const payload = body === undefined ? undefined : Buffer.from(text);
  // Node sends no Content-Length for DELETE or OPTIONS by default, and derives the server name to verify from a Host
  // header.
  const length = payload === undefined ? {} : { "content-length": String(payload.length) };
  const present = Object.fromEntries(
    Object.entries({ ...length, ...headers }).filter(([, value]) => value !== undefined),
  );
  return new Promise((resolve, reject) => {
    const request = https.request(
      `${url}${path}`,
      { method, ca: authority, headers: present, servername: new URL(url).hostname },
      (response) => {
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (chunk: string) => (text += chunk))
          .on("error", reject)
          .on("end", () => {
            const isJson = String(response.headers["content-type"]).startsWith("application/json") && text !== "";
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
            });
          });
      },
    );
    request.on("error", reject).end(payload);
  });
}
