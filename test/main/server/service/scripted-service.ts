import { once } from "node:events";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import type { Engine, EngineHealth } from "../../../../main/inference/engine-types.ts";
import { buildServer, type RouteGroup, type ServerOptions } from "../../../../main/server/build-server.ts";
import type { Fault, ServiceContext } from "../../../../main/services/measuring/service-context.ts";
import { createKey, type CreatedKey } from "../../../../main/services/calls/keys.ts";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { createHandoutPrinter } from "../../../../main/report/print-handout.ts";
import { createWorkQueue } from "../../../../main/services/measuring/work-queue.ts";
import { assertShape } from "./answer-shape.ts";
import { popFrame } from "../../../fixtures/pop-frames.ts";
import { completeHealth } from "../../../fixtures/scripted-engine.ts";
import { writtenLog } from "../../../fixtures/written-log.ts";
import { measured, temporaryStore } from "../../store/sample-store.ts";

/** Results of the networks, which tests replace. Server, store, decoding and queue are real. */
export type Script = Pick<Engine, "measure" | "measurePhotograph" | "findCorners"> & { health: EngineHealth };

export const untilAborted: Script["measure"] = async (_film, { signal } = {}) => {
  if (signal && !signal.aborted) await once(signal, "abort");
  throw new AppError("ABORTED");
};

export type ScriptedAnswer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly text: string;
};

export type ScriptedService = CreatedKey & {
  readonly app: FastifyInstance;
  readonly context: ServiceContext;
  readonly script: Script;
  readonly clock: { at: Date };
  readonly faults: Fault[];
  readonly logged: readonly string[];
  readonly foreignKey: string;
  /** Sends a request and checks a JSON response against the contract. */
  call(method: "GET" | "POST", path: string, body?: unknown, headers?: Record<string, string>): Promise<ScriptedAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ScriptedAnswer>;
  restart(): FastifyInstance;
  close(): Promise<void>;
};

/** Opens a new service for each test of a file or describe. The members are available in hooks and tests. */
export function useScriptedService(options: Parameters<typeof openScriptedService>[0] = {}): ScriptedService {
  const service = {} as ScriptedService;
  beforeEach(async () => void Object.assign(service, await openScriptedService(options)));
  afterEach(() => service.close());
  return service;
}

export async function openScriptedService({
  store: given,
  routesOf,
  ...options
}: Partial<ServerOptions> & {
  queueLimit?: number;
  routesOf?: (context: ServiceContext) => Promise<RouteGroup>;
  store?: Awaited<ReturnType<typeof temporaryStore>>;
} = {}): Promise<ScriptedService> {
  const store = given ?? (await temporaryStore());
  const clock = { at: new Date("2026-11-10T09:00:00Z") };
  const faults: Fault[] = [];
  const script: Script = {
    measure: async () => measured,
    measurePhotograph: async () => popFrame(),
    findCorners: async () => null,
    health: completeHealth,
  };
  const engine: Engine = {
    health: () => script.health,
    measure: (film, measuring) => script.measure(film, measuring),
    measurePhotograph: (photo, measuring) => script.measurePhotograph(photo, measuring),
    findCorners: (photo, measuring) => script.findCorners(photo, measuring),
    reload: async () => undefined,
    close: async () => undefined,
  };
  const { log, logged } = writtenLog();
  const context: ServiceContext = {
    db: store.db,
    engine,
    dicom: createDicomReader(),
    handouts: createHandoutPrinter(),
    queue: createWorkQueue(2, options.queueLimit),
    deliveries: new Map(),
    callers: new Map(),
    refusals: new Map(),
    now: () => clock.at,
    log,
    reportFault: (fault) => void faults.push(fault),
    programVersion: "0.1.0",
    dataDir: store.dataDir,
  };
  const created = await createKey(store.db, { accountName: "Clinic", name: "test", at: clock.at });
  const { key: foreignKey } = await createKey(store.db, { accountName: "Another clinic", name: "test", at: clock.at });
  const routeGroups = routesOf && [await routesOf(context)];
  const build = () =>
    buildServer(context, { credentials: null, configuredHosts: [], ...(routeGroups && { routeGroups }), ...options });
  const app = build();
  await app.ready();
  const call: ScriptedService["call"] = async (method, path, body, headers = {}) => {
    const response = await app.inject({
      method,
      url: path,
      headers: { "x-api-key": created.key, ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    if (isJson) assertShape(path, response.statusCode, response.json());
    return {
      status: response.statusCode,
      body: (isJson ? response.json() : {}) as Record<string, unknown>,
      headers: response.headers,
      text: response.body,
    };
  };
  return {
    ...created,
    app,
    context,
    script,
    clock,
    faults,
    logged,
    foreignKey,
    call,
    post: (path, body, headers) => call("POST", path, body, headers),
    restart: build,
    async close() {
      await app.close();
      await store.remove();
    },
  };
}
