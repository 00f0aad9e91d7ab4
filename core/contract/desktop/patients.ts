import { z } from "zod";
import type { Channels } from "../channel.ts";
import { identifier, nameOf } from "../../identifiers.ts";
import { languageCodes } from "../../language/languages.ts";
import { download, id, measureFields, nothing, page, textFile, tier, time, verdictFacts } from "./shapes.ts";

export const speciesNames = ["dog", "cat"] as const;

const patientFields = {
  name: nameOf(120),
  /** null if unknown. */
  species: z.enum(speciesNames).nullable(),
  /** Key of a breed of core's reference ranges or free text; empty when unknown. */
  breed: nameOf(120),
  owner: nameOf(200),
  /** The practice's own identifier, as sent to the API; unique where given. */
  uuid: z
    .string()
    .trim()
    .pipe(z.union([identifier, z.literal("")]))
    .nullable(),
  microchip: nameOf(40).nullable(),
  sex: z.enum(["male", "female"]).nullable(),
  isNeutered: z.boolean().nullable(),
  /** Calendar day, `2019-05-30`. */
  birthDate: z.iso.date().nullable(),
  weightKg: z.number().positive().max(200).nullable(),
};
const { microchip, sex, isNeutered, birthDate, weightKg } = patientFields;

const newPatientFields = {
  ...patientFields,
  microchip: microchip.default(null),
  sex: sex.default(null),
  isNeutered: isNeutered.default(null),
  birthDate: birthDate.default(null),
  weightKg: weightKg.default(null),
};

/** An animal. `number`: the practice's number; that of a film's file if `uuid` only represents it. */
export const patient = z.object({
  id,
  ...patientFields,
  number: z.string().nullable().default(null),
  createdAt: time,
  lastSeenAt: time,
});

const practiceError = z.object({ deviation: z.number(), pairs: z.int() }).nullable();

/** Errors from the practice's same-day pairs [v], see core/cardiac/agreement/same-day.ts. */
export const practiceErrors = z.object({ vhs: practiceError, vlas: practiceError });

/** Standard errors of a film's scores [v], see core/cardiac/agreement/score-errors.ts. */
const scoreErrors = z.object({
  pack: z.string().nullable(),
  full: z.object(measureFields(z.number().nullable())),
  repeat: z.object({ vhs: z.number(), vlas: z.number() }).nullable(),
  practice: practiceErrors.optional(),
});

/** Values of one date. `filmId` null: measured through the API, where no image is kept. */
const trendPoint = z.object({
  at: time,
  filmId: id.nullable(),
  ...measureFields(z.number().nullable()),
  errors: scoreErrors,
  /** Agreement of the networks, also after acceptance; null if a user placed the points. */
  tier: tier.nullable(),
  facts: verdictFacts,
  source: z.enum(["model", "person", "api"]),
  /** Who accepted, corrected or measured; null for the model's own reading and the API's. */
  who: z.string().nullable(),
  /** The model's values if a user's points are valid; null otherwise. */
  original: z.object(measureFields(z.number().nullable())).nullable(),
  /** Pack of the reading, or of the corrected one; null if unknown, as for the API. */
  pack: z
    .object({
      pack: z.string(),
      packVersion: z.string().nullable(),
      packReleasedBy: z.string().nullable(),
      packPublisher: z.string().nullable(),
    })
    .nullable(),
});

/** Change along a fitted line, see core/cardiac/reference/trend.ts. */
const rateOfChange = z.object({ perMonth: z.number(), low: z.number(), high: z.number(), isFast: z.boolean() });

export const patientsContract = {
  /** `search` empty: the ones seen last. `canBe`: those of this species, and those whose species is not known. */
  "patients.list": {
    request: z.strictObject({
      search: z.string().max(200).default(""),
      canBe: z.enum(["dog", "cat"]).nullable().default(null),
      ...page,
    }),
    response: z.object({ patients: z.array(patient), total: z.int() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "patients.get": {
    request: z.strictObject({ patientId: id }),
    response: patient,
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "patients.create": {
    request: z.strictObject(newPatientFields),
    response: patient,
    permission: "prepare",
    isCoalesced: true,
  },
  /** Absent fields stay unchanged, including concurrent changes by others. */
  "patients.edit": {
    request: z.strictObject(patientFields).partial().extend({ patientId: id }),
    response: patient,
    permission: "prepare",
  },
  /**
   * Two patients are one: films, DICOM links and identifiers of `goneId` become those of `keptId`, whose own facts
   * count where both have them. NOT_FOUND, INVALID_FIELD for another species.
   */
  "patients.merge": {
    request: z.strictObject({ keptId: id, goneId: id }),
    response: z.object({ patient, undoId: id, films: z.int() }),
    permission: "prepare",
    isCoalesced: true,
  },
  /**
   * Undoes a merge, one of the last hundred. NOT_FOUND if it was undone, or if one of both has changed hands;
   * CONFLICT when a third patient has got the identifier that the kept one had.
   */
  "patients.unmerge": {
    request: z.strictObject({ undoId: id }),
    response: z.object({ patients: z.array(patient) }),
    permission: "prepare",
  },
  /** Mergers that can be taken back, oldest first. @see patients.unmerge */
  "patients.mergers": {
    request: nothing,
    response: z.object({ mergers: z.array(z.object({ undoId: id, keptId: id, goneName: z.string() })) }),
    permission: "prepare",
  },
  /** Everything about a patient as a ZIP: data, films, results, handouts. Can be fetched once. */
  "patients.export": {
    request: z.strictObject({ patientId: id, language: z.enum(languageCodes) }),
    response: z.object({ download, films: z.int(), filmsWithoutFile: z.int() }),
    permission: "administer",
    isLong: true,
  },
  /** What would be erased, what stays under a pseudonym, and copies of the store that hold the patient. */
  "patients.holdings": {
    request: z.strictObject({ patientId: id }),
    response: z.object({
      goes: z.object({ films: z.int(), readings: z.int(), measurements: z.int(), screenings: z.int() }),
      billing: z.int(),
      /** Names of the accounts that called under one of its identifiers: more than one may mean another animal. */
      accounts: z.array(z.string()),
      backups: z.array(z.string()),
      /**
       * With a database: files of this computer's own store, which may contain the patient or data that exist nowhere
       * else.
       */
      ownData: z.array(z.string()),
    }),
    permission: "administer",
  },
  /** Permanent. `why` is part of the signed statement in the ledger; `rows` counts the changed rows that remain. */
  "patients.erase": {
    request: z.strictObject({ patientId: id, why: z.string().trim().min(1).max(500) }),
    response: z.object({
      pseudonym: z.string(),
      rows: z.int(),
      backups: z.array(z.string()),
      ownData: z.array(z.string()),
    }),
    permission: "administer",
    isLong: true,
  },
  /** Oldest first, rejected readings left out. */
  "trends.get": {
    request: z.strictObject({ patientId: id }),
    response: z.object({
      patient,
      points: z.array(trendPoint),
      ...measureFields(rateOfChange.nullable()),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "trends.csv": { request: z.strictObject({ patientId: id }), response: textFile, permission: "share" },
} as const satisfies Channels;

export type Patient = z.infer<typeof patient>;
export type TrendPoint = z.infer<typeof trendPoint>;
