import { z } from "zod";
import type { Channels } from "../channel.ts";
import { identifier, nameOf } from "../../identifiers.ts";
import { languageCodes } from "../../language/languages.ts";
import { scoreErrors } from "../../cardiac/agreement/score-errors.ts";
import { rateShape } from "../../cardiac/reference/trend.ts";
import { verdictFactsShape } from "../../cardiac/verdict/verdict-facts.ts";
import { download, id, measureFields, nothing, page, tier, time } from "./shapes.ts";

export const speciesNames = ["dog", "cat"] as const;

const patientFields = {
  name: nameOf(120),
  species: z.enum(speciesNames).nullable(),
  /** Key of a breed of core's reference ranges, or free text; empty if unknown. */
  breed: nameOf(120),
  owner: nameOf(200),
  /** The practice's identifier, as sent to the API; unique if set. */
  uuid: z
    .string()
    .trim()
    .pipe(z.union([identifier, z.literal("")]))
    .nullable(),
  microchip: nameOf(40).nullable(),
  sex: z.enum(["male", "female"]).nullable(),
  isNeutered: z.boolean().nullable(),
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

/** An animal. `number`: the practice's number, or that of a film's file if `uuid` was derived from it. */
export const patient = z.object({
  id,
  ...patientFields,
  number: z.string().nullable().default(null),
});

/** Values of one date. `filmId` is null for measurements by the API, which keeps no images. */
const trendPoint = z.object({
  at: time,
  filmId: id.nullable(),
  ...measureFields(z.number().nullable()),
  errors: scoreErrors,
  /** Tier of the networks' measurement, kept after acceptance; null if a user placed the points. */
  tier: tier.nullable(),
  facts: verdictFactsShape,
  source: z.enum(["model", "person", "api"]),
  /** User who accepted, corrected or measured; null for readings of the networks and of the API. */
  who: z.string().nullable(),
  /** The networks' values if the current points are those of a user; null otherwise. */
  original: z.object(measureFields(z.number().nullable())).nullable(),
  /** Pack of the reading, or of the one that was corrected; null if unknown, as for the API. */
  pack: z
    .object({
      pack: z.string(),
      packVersion: z.string().nullable(),
      packReleasedBy: z.string().nullable(),
      packPublisher: z.string().nullable(),
    })
    .nullable(),
});

export const patientsContract = {
  /** An empty `search` lists the patients seen last. `canBe`: only patients of this or an unknown species. */
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
  },
  /** Absent fields stay unchanged, so that concurrent changes by other users are kept. */
  "patients.edit": {
    request: z.strictObject(patientFields).partial().extend({ patientId: id }),
    response: patient,
    permission: "prepare",
  },
  /** Films, links and identifiers of `goneId` move to `keptId`. NOT_FOUND, INVALID_FIELD for different species. */
  "patients.merge": {
    request: z.strictObject({ keptId: id, goneId: id }),
    response: z.object({ patient, undoId: id, films: z.int() }),
    permission: "prepare",
  },
  /** One of the last hundred. NOT_FOUND; CONFLICT if another patient now has the kept one's previous identifier. */
  "patients.unmerge": {
    request: z.strictObject({ undoId: id }),
    response: nothing,
    permission: "prepare",
  },
  /** Oldest first. */
  "patients.mergers": {
    request: nothing,
    response: z.object({ mergers: z.array(z.object({ undoId: id, keptId: id, goneName: z.string() })) }),
    permission: "prepare",
  },
  /** Exports all data of a patient as a ZIP: data, films, results, handouts. Single download. */
  "patients.export": {
    request: z.strictObject({ patientId: id, language: z.enum(languageCodes) }),
    response: z.object({ download, films: z.int(), filmsWithoutFile: z.int() }),
    permission: "administer",
    isLong: true,
  },
  /** Data that `patients.erase` would erase or keep under a pseudonym, and copies of the store with the patient. */
  "patients.holdings": {
    request: z.strictObject({ patientId: id }),
    response: z.object({
      goes: z.object({ films: z.int(), readings: z.int(), measurements: z.int(), screenings: z.int() }),
      billing: z.int(),
      /** Accounts that used one of the patient's identifiers; more than one may indicate a different animal. */
      accounts: z.array(z.string()),
      backups: z.array(z.string()),
      /** Files of this computer's own store beside a database. They may contain data that exist nowhere else. */
      ownData: z.array(z.string()),
    }),
    permission: "administer",
  },
  /** `why` becomes part of the signed statement in the ledger; `rows`: number of changed rows that remain. */
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
  /** Oldest first, without rejected readings. */
  "trends.get": {
    request: z.strictObject({ patientId: id }),
    response: z.object({
      patient,
      points: z.array(trendPoint),
      ...measureFields(rateShape.nullable()),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type Patient = z.infer<typeof patient>;
export type TrendPoint = z.infer<typeof trendPoint>;
