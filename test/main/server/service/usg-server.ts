import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { programPacksDir } from "../../../../main/program.ts";
import { usgRoutes } from "../../../../main/server/routes/usg.ts";
import type { ServerLimits } from "../../../../main/server/server-limits.ts";
import type { TlsCredentials } from "../../../../main/server/tls/tls.ts";
import { openUsgScreening, type UsgScreening } from "../../../../main/services/calls/screen-usg.ts";
import { openScriptedService, type ScriptedService } from "./scripted-service.ts";
import { loadUsgPacksOnce } from "../../../fixtures/packs/load-usg-packs-once.ts";
import { modelDocument, stump } from "../../../core/usg/random-model.ts";

export type UsgServer = ScriptedService & {
  readonly screening: UsgScreening;
  predict(body: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
};

export async function openUsgServer({
  packFolders = [programPacksDir],
  credentials = null,
  limits = {},
}: {
  packFolders?: readonly string[];
  credentials?: TlsCredentials | null;
  limits?: Partial<ServerLimits>;
} = {}): Promise<UsgServer> {
  let screening!: UsgScreening;
  const service = await openScriptedService({
    credentials,
    limits,
    async routesOf(context) {
      screening = await openUsgScreening(context, { packFolders, wantedPack: null, load: loadUsgPacksOnce });
      return usgRoutes(screening);
    },
  });
  const { app, key } = service;
  return {
    ...service,
    screening,
    predict: (body, headers = {}) => app.inject(predictOptions(body, { "x-api-key": key, ...headers })),
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

function temporaryPack(trees: readonly object[], changes: object = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-packs-"));
  writePack(path.join(folder, "usg-test"), JSON.stringify(modelDocument(trees)), changes);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

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
