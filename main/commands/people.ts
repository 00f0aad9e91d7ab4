import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { personName } from "../../core/contract/desktop/people.ts";
import { roles, type Role } from "../../core/people/roles.ts";
import { defaultDataDir } from "../program.ts";
import { changeSecret, createPerson, turnPeopleOff } from "../services/people/people.ts";
import type { WritableDb } from "../store/database.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { editPerson, listPeople, peopleSetting, type PersonRow } from "../store/people/people.ts";
import { getSetting } from "../store/settings.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { textTable } from "./output/text-table.ts";

const usage = `people list   [--data-dir DIR]
people add    [--data-dir DIR] NAME --role ROLE     ROLE: ${roles.join(", ")}
people pin    [--data-dir DIR] NAME                 a new PIN or password; asked for, or the first line of stdin
people role   [--data-dir DIR] NAME --role ROLE
people retire [--data-dir DIR] NAME
people off    [--data-dir DIR]                      nobody signs in any more; turned on again in the window
Everything but list is recorded in the audit trail.`;

const options = { "data-dir": { type: "string" }, role: { type: "string" } } as const;

type Verb = {
  readonly takesName: boolean;
  readonly act: (db: WritableDb, name: string, role: string | undefined) => Promise<string | null>;
};

const verbs = new Map<string, Verb>([
  ["list", { takesName: false, act: (db) => tableOf(db) }],
  [
    "add",
    {
      takesName: true,
      act: async (db, name, role) => {
        if (!personName.safeParse(name).success) throw new UsageError("a NAME has 1 to 100 characters");
        await createPerson(db, { name, role: roleOf(role), secret: await askForSecret() }, new Date());
        return null;
      },
    },
  ],
  [
    "pin",
    {
      takesName: true,
      act: async (db, name) => {
        await changeSecret(db, (await personOf(db, name)).id, await askForSecret(), new Date());
        return null;
      },
    },
  ],
  ["role", { takesName: true, act: (db, name, role) => edited(db, name, { role: roleOf(role) }) }],
  ["retire", { takesName: true, act: (db, name) => edited(db, name, { isRetired: true }) }],
  [
    "off",
    {
      takesName: false,
      act: async (db) => {
        await turnPeopleOff(db, new Date());
        return null;
      },
    },
  ],
]);

runCommand("people", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", name, ...rest] = positionals;
  const found = verbs.get(verb);
  if (found === undefined) throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  if (rest.length > 0 || (name !== undefined) !== found.takesName)
    throw new UsageError(found.takesName ? `${verb} needs one NAME` : "too many arguments");
  const db = await openStoreOf(values["data-dir"] ?? defaultDataDir(), { create: false, setAside: false });
  try {
    const answer = await asOperatingSystemUser(() => found.act(db, name?.trim() ?? "", values.role));
    if (answer !== null) print(answer);
  } finally {
    await db.destroy();
  }
});

/** Not an argument: those are seen by everybody on the machine. */
async function askForSecret(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write("New PIN or password: ");
  for await (const line of lines) {
    lines.close();
    if (line.length < 4 || line.length > 200) throw new UsageError("a PIN or password has 4 to 200 characters");
    return line;
  }
  throw new UsageError("no PIN or password was given");
}

async function edited(
  db: WritableDb,
  name: string,
  change: { readonly role?: Role; readonly isRetired?: boolean },
): Promise<null> {
  await editPerson(db, (await personOf(db, name)).id, change, new Date());
  return null;
}

async function personOf(db: WritableDb, name: string): Promise<PersonRow> {
  const person = (await listPeople(db)).find(
    (known) => known.name.toLowerCase() === name.normalize("NFC").toLowerCase(),
  );
  if (!person) throw new AppError("NOT_FOUND", `There is nobody called ${name}.`);
  return person;
}

function roleOf(given: string | undefined): Role {
  const role = roles.find((known) => known === given);
  if (role === undefined) throw new UsageError(`--role is one of: ${roles.join(", ")}`);
  return role;
}

async function tableOf(db: WritableDb): Promise<string> {
  const { isOn } = await getSetting(db, peopleSetting);
  const table = textTable([
    ["NAME", "ROLE", "SINCE", "RETIRED"],
    ...(await listPeople(db)).map(({ name, role, createdAtMs, retiredAtMs }) => [
      name,
      role,
      new Date(createdAtMs).toISOString(),
      retiredAtMs === null ? "-" : new Date(retiredAtMs).toISOString(),
    ]),
  ]);
  return `${table}\n${isOn ? "People sign in." : "Nobody signs in (turned off)."}`;
}
