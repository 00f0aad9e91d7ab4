import { z } from "zod";
import { identifier, nameOf } from "../../identifiers.ts";
import type { PlainKey } from "../../language/catalogue.ts";
import { formatLocales, languageCodes } from "../../language/languages.ts";

export const maxDaysKept = 3650;

/** `user` settings are stored per workstation; administrators set the others. */
type Owner = "user" | "workstation" | "practice";

type Row<Schema extends z.ZodType> = {
  readonly schema: Schema;
  readonly initial: z.infer<Schema>;
  readonly owner: Owner;
  /** Name on the settings page, in the search and in the audit trail; null if it has no control there. */
  readonly name: PlainKey | null;
};

function row<Schema extends z.ZodType>(of: Row<Schema>): Row<Schema> {
  return of;
}

const rows = {
  /** The set-up card was closed. */
  isSetUp: row({ schema: z.boolean(), initial: false, owner: "workstation", name: null }),
  language: row({
    schema: z.enum(["system", ...languageCodes]),
    initial: "system",
    owner: "user",
    name: "settings.language",
  }),
  /** Format of numbers and dates; `language` for the usual format of the language. */
  locale: row({
    schema: z.enum(["language", ...formatLocales]),
    initial: "language",
    owner: "user",
    name: "settings.numbersAndDates",
  }),
  theme: row({ schema: z.enum(["system", "dark", "light"]), initial: "dark", owner: "user", name: "settings.theme" }),
  /** Keys by command; only those that differ from the renderer's defaults. */
  shortcuts: row({
    schema: z.record(z.string().max(60), z.string().max(60)),
    initial: {},
    owner: "user",
    name: "settings.shortcuts",
  }),
  /** Name that signs readings. */
  userName: row({ schema: nameOf(100), initial: "", owner: "user", name: "settings.userName" }),
  clinicName: row({ schema: nameOf(200), initial: "", owner: "practice", name: "settings.clinicName" }),
  clinicCode: row({
    schema: z.union([identifier, z.literal("")]),
    initial: "",
    owner: "practice",
    name: "settings.clinicCode",
  }),
  clinicAddress: row({ schema: z.string().max(400), initial: "", owner: "practice", name: "report.address" }),
  /** PNG or JPEG as a data URL, shown on a handout; empty for none. */
  clinicLogo: row({
    schema: z
      .string()
      .max(400_000)
      .regex(/^(data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*)?$/),
    initial: "",
    owner: "practice",
    name: "report.logo",
  }),
  /** If off, films are added without inference and measured by hand. */
  measuresOnArrival: row({
    schema: z.boolean(),
    initial: true,
    owner: "practice",
    name: "settings.measuresOnArrival",
  }),
  /** An undecided film of a returning patient opens side by side with that of the previous visit. */
  opensVisitBefore: row({
    schema: z.boolean(),
    initial: false,
    owner: "practice",
    name: "settings.opensVisitBefore",
  }),
  keepImages: row({
    schema: z.enum(["until_removed", "days", "while_open"]),
    initial: "until_removed",
    owner: "practice",
    name: "settings.keepImages",
  }),
  keepImagesDays: row({
    schema: z.int().min(1).max(maxDaysKept),
    initial: 90,
    owner: "practice",
    name: "settings.keepImages",
  }),
  /** Unit switches and viewer preferences of the renderer; not read by the service. */
  view: row({
    schema: z.record(z.string().max(60), z.union([z.string().max(2000), z.number(), z.boolean()])),
    initial: {},
    owner: "user",
    name: null,
  }),
} as const;

type Rows = typeof rows;

const parts = Object.entries(rows) as [keyof Rows, Row<z.ZodType>][];
const columnOf = <Column extends keyof Row<z.ZodType>>(column: Column) =>
  Object.fromEntries(parts.map(([field, of]) => [field, of[column]]));

export const settings = z.object(columnOf("schema") as { [Field in keyof Rows]: Rows[Field]["schema"] });
export type Settings = z.infer<typeof settings>;

export const initialSettings = columnOf("initial") as Settings;
export const namesOfSettings = columnOf("name") as Readonly<Record<string, PlainKey | null>>;

export function ownerOfSetting(field: string): Owner | undefined {
  return field in rows ? rows[field as keyof Rows].owner : undefined;
}
