import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import type { Engine } from "../../../../main/inference/engine-types.ts";
import { programPacksDir } from "../../../../main/program.ts";
import { buildServer } from "../../../../main/server/build-server.ts";
import { usgRoutes } from "../../../../main/server/routes/usg.ts";
import type { TlsCredentials } from "../../../../main/server/tls/tls.ts";
import type { Fault, ServiceContext } from "../../../../main/services/measuring/service-context.ts";
import { createKey, type CreatedKey } from "../../../../main/services/calls/keys.ts";
import { openUsgScreening, type UsgScreening } from "../../../../main/services/calls/screen-usg.ts";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { createHandoutPrinter } from "../../../../main/report/print-handout.ts";
import { createWorkQueue } from "../../../../main/services/measuring/work-queue.ts";
import { writtenLog } from "../../../fixtures/written-log.ts";
import { loadUsgPacksOnce } from "../../../fixtures/packs/load-usg-packs-once.ts";
import { temporaryStore } from "../../store/sample-store.ts";
import { modelDocument, stump } from "../../../core/usg/random-model.ts";

/** The screening service with its own store. */
export type UsgServer = CreatedKey & {
  readonly app: FastifyInstance;
  readonly context: ServiceContext;
  readonly screening: UsgScreening;
  readonly faults: readonly Fault[];
  readonly logged: readonly string[];
  clock: { now: Date };
  predict(body: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
};

/** Builds the service, by default with the program's own pack. It has no networks, since no film is measured. */
export async function openUsgServer({
  packFolders = [programPacksDir],
  credentials = null,
}: { packFolders?: readonly string[]; credentials?: TlsCredentials | null } = {}): Promise<UsgServer> {
  const store = await temporaryStore();
  const faults: Fault[] = [];
  const { log, logged } = writtenLog();
  const clock = { now: new Date("2026-11-10T09:00:00Z") };
  const context: ServiceContext = {
    db: store.db,
    engine: undefined as unknown as Engine,
    queue: createWorkQueue(),
    dicom: createDicomReader(),
    handouts: createHandoutPrinter(),
    deliveries: new Map(),
    callers: new Map(),
    refusals: new Map(),
    now: () => clock.now,
    log,
    reportFault: (fault) => void faults.push(fault),
    programVersion: "0.1.0",
    dataDir: store.dataDir,
  };
  const screening = await openUsgScreening(context, { packFolders, wantedPack: null, load: loadUsgPacksOnce });
  const app = buildServer(context, { credentials, configuredHosts: [], routeGroups: [usgRoutes(screening)] });
  await app.ready();
  const created = await createKey(store.db, { accountName: "Clinic", name: "test", at: clock.now });
  return {
    ...created,
    app,
    context,
    screening,
    faults,
    logged,
    clock,
    predict: (body, headers = {}) => app.inject(predictOptions(body, { "x-api-key": created.key, ...headers })),
    async close() {
      await app.close();
      await store.remove();
    },
  };
}

/** Creates a prediction request; strings and buffers are sent unchanged, other bodies as JSON. */
export function predictOptions(body: unknown, headers: Record<string, string>): InjectOptions {
  return {
    method: "POST",
    url: "/usg/v1/predict",
    headers: { host: "localhost", "content-type": "application/json", ...headers },
    payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  };
}

/** Creates a folder with one pack of the given trees. */
function temporaryPack(trees: readonly object[], changes: object = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-packs-"));
  writePack(path.join(folder, "usg-test"), JSON.stringify(modelDocument(trees)), changes);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Writes a pack with the given model and a matching manifest, to which the changes are applied. */
export function writePack(folder: string, model: string, changes: object = {}): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "model.json"), model);
  const sha256 = createHash("sha256").update(model).digest("hex");
  const manifest = {
    format: 1,
    kind: "usg",
    name: path.basename(folder),
    version: "1",
    modelVersion: "test-1",
    members: [{ file: "model.json", sha256 }],
    decoding: { thresholdImpaired: 0.3496, sgCutoff: 1.035 },
    training: { statement: "none" },
    evaluation: {},
    licence: "MIT",
    clinicallyValidated: false,
    ...changes,
  };
  writeFileSync(path.join(folder, "manifest.json"), JSON.stringify(manifest));
}

/** Creates a pack that predicts the same probability for every cat, within single precision. */
export function constantPack(probability: number, changes: object = {}) {
  return temporaryPack([stump(Math.log(probability / (1 - probability)))], changes);
}
