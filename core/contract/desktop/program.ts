import { z } from "zod";
import type { Channels } from "../channel.ts";
import { nameOf } from "../../identifiers.ts";
import { ownerOfSetting, settings } from "./settings.ts";
import { download, failure, fault, id, nothing, reason, textFile, time } from "./shapes.ts";

const serverState = z.object({
  url: z.string(),
  hostNames: z.array(z.string()),
  isPlainHttpAllowed: z.boolean(),
  needsRestart: z.boolean(),
  authority: z.object({ fingerprintSha256: z.string(), notAfter: time, file: z.string() }),
  /** Planned replacement of the authority; its file already contains the successor. */
  renewal: z.object({ at: time }).nullable(),
});

const labels = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;
const ipv6 = /^[0-9a-f:]+$/;
/** Letters, digits and hyphens in labels, or an IP address. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .refine((name) => labels.test(name) || ipv6.test(name), "is not a host name");

const packKinds = ["landmarks", "landmarks-pop", "gate", "corners", "usg"] as const;

const pack = z.object({
  name: z.string(),
  version: z.string().nullable(),
  /** null if the manifest cannot be read. */
  kind: z.enum(packKinds).nullable(),
  folder: z.string(),
  state: z.enum(["active", "available", "refused"]),
  /** Why it was refused; null otherwise. */
  reason: z.string().nullable(),
  /** `reason` in a translatable form; null if there is only the English text. */
  why: reason.nullable(),
  modelVersion: z.string().nullable(),
  licence: z.string(),
  trainingData: z.string(),
  card: z.string(),
  evaluation: z.array(z.object({ figure: z.string(), value: z.string() })),
  isClinicallyValidated: z.boolean(),
  /** Signature of the pack; null if it is unsigned. */
  origin: z
    .object({
      publisher: z.string(),
      fingerprint: z.string(),
      isKnown: z.boolean(),
      releasedBy: z.string().nullable(),
    })
    .nullable(),
});

const publisher = z.object({ name: z.string(), fingerprint: z.string() });
const publishers = z.object({ publishers: z.array(publisher) });

const health = z.object({
  isPopEnabled: z.boolean(),
  modelVersion: z.string(),
  /** No network for direct films is loaded, so films can be measured only by hand. */
  hasNoPack: z.boolean(),
  /** Who released the pack as clinically validated; null if it is not validated. */
  release: z.object({ publisher: z.string(), releasedBy: z.string() }).nullable().default(null),
  troubles: z.array(failure).default([]),
  isQueueFull: z.boolean().default(false),
});

/** A request to the API, without bodies, queries and patients. */
const answeredRequest = z.object({
  at: time,
  method: z.string(),
  /** The route's pattern, or the path if no route matches. */
  route: z.string(),
  status: z.int(),
  elapsedMs: z.number(),
  keyId: id.nullable(),
});

export const programContract = {
  /** Cancels a search, transfer, export or database test by its id. Finished jobs are not undone. */
  "jobs.cancel": {
    request: z.strictObject({ jobId: z.uuid() }),
    response: nothing,
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
  "server.get": { request: nothing, response: serverState, permission: "look" },
  /** Absent fields stay unchanged. */
  "server.configure": {
    request: z.strictObject({
      hostNames: z.array(hostName).max(20).optional(),
      isPlainHttpAllowed: z.boolean().optional(),
    }),
    response: serverState,
    permission: "administer",
  },
  "server.authority": { request: nothing, response: textFile, permission: "administer" },
  /** Newest first. */
  "server.requests": {
    request: nothing,
    response: z.object({ requests: z.array(answeredRequest) }),
    permission: "administer",
  },
  /** Packs are imported by `PUT /app/packs` with a ZIP as body, which returns `{packs}`. */
  "packs.list": { request: nothing, response: z.object({ packs: z.array(pack) }), permission: "look" },
  "packs.activate": {
    request: z.strictObject({ name: z.string().min(1).max(200) }),
    response: nothing,
    permission: "administer",
  },
  "publishers.list": { request: nothing, response: publishers, permission: "look" },
  /** `key`: an Ed25519 public key in PEM or Base64. CONFLICT if the key exists. */
  "publishers.add": {
    request: z.strictObject({ name: nameOf(100).min(1), key: z.string().min(1).max(4000) }),
    response: nothing,
    permission: "administer",
  },
  "publishers.remove": {
    request: z.strictObject({ fingerprint: z.string().min(1).max(200) }),
    response: nothing,
    permission: "administer",
  },
  "settings.get": { request: nothing, response: settings, permission: "look", isAvailableWithoutDatabase: true },
  "settings.save": {
    request: settings.partial().strict(),
    response: settings,
    permission: (changes: object) =>
      Object.keys(changes).every((name) => ownerOfSetting(name) === "user") ? "look" : "administer",
  },
  "app.health": { request: nothing, response: health, permission: "look", isAvailableWithoutDatabase: true },
  "app.about": {
    request: nothing,
    response: z.object({
      programVersion: z.string(),
      dataDir: z.string(),
      /** Address of the database, without user and password; null if the store is a file in `dataDir`. */
      database: z.string().nullable(),
      runtime: z.array(z.object({ name: z.string(), version: z.string() })),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Not part of `app.about`, because it is read from large files. */
  "app.licences": {
    request: nothing,
    response: z.object({
      licences: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() })),
      licenceText: z.string(),
      trainingSources: z.array(z.object({ pack: z.string(), source: z.string() })),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Newest first. */
  "app.faults": {
    request: nothing,
    response: z.object({ faults: z.array(fault) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Exports a ZIP for support: versions, settings without names, packs, health, logs, counts. */
  "app.supportBundle": { request: nothing, response: z.object({ download }), permission: "administer" },
  /** Opens the data folder in the desktop's file manager. NOT_AVAILABLE in a browser, which shows the path instead. */
  "app.openDataFolder": { request: nothing, response: nothing, permission: "administer" },
  /** null if the start is managed elsewhere (service, checkout). */
  "app.logIn": { request: nothing, response: z.object({ startsAtLogIn: z.boolean().nullable() }), permission: "look" },
  /** NOT_AVAILABLE if "app.logIn" returns null. */
  "app.saveLogIn": {
    request: z.strictObject({ startsAtLogIn: z.boolean() }),
    response: z.object({ startsAtLogIn: z.boolean().nullable() }),
    permission: "administer",
  },
} as const satisfies Channels;

/** Commands of the native menu, which the page runs. */
export type MenuCommand =
  | "open-worklist"
  | "open-patients"
  | "open-usg"
  | "open-capture"
  | "open-agreement"
  | "open-ledger"
  | "open-settings"
  | "show-shortcuts"
  | "show-help"
  | "about";

export type ServerState = z.infer<typeof serverState>;
export type PublisherSummary = z.infer<typeof publisher>;
export type PackSummary = z.infer<typeof pack>;
export type AnsweredRequest = z.infer<typeof answeredRequest>;
export type Health = z.infer<typeof health>;
