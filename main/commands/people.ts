import { Command } from "commander";
import { AppError } from "../../core/app-error.ts";
import { changeSecret, turnUsersOff } from "../services/people/people.ts";
import type { WritableDb } from "../store/database.ts";
import { listPeople, peopleSetting, type PersonRow } from "../store/people/people.ts";
import { getSetting } from "../store/settings.ts";
import { dataDirOption } from "./running/options.ts";
import { readLine } from "./running/read-line.ts";
import { print, UsageError } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";
import { textTable } from "./output/text-table.ts";

type Given = { readonly dataDir: string };

export function peopleCommand(): Command {
  const people = new Command("people").description("forgotten PINs; users are added and changed in the window");
  const command = (usage: string, description: string) =>
    people.command(usage).description(description).addOption(dataDirOption());
  command("list", "users and their roles").action(async ({ dataDir }: Given) =>
    print(await withStore(dataDir, tableOf)),
  );
  command("pin <name>", "set a new PIN or password; asks for it, or reads the first line of stdin").action(
    (name: string, { dataDir }: Given) =>
      withStore(dataDir, async (db) =>
        changeSecret(db, (await personOf(db, name)).id, await askForSecret(), new Date()),
      ),
  );
  command("off", "turn sign-in off; an administrator turns it on again in the window").action(({ dataDir }: Given) =>
    withStore(dataDir, (db) => turnUsersOff(db, new Date())),
  );
  return people;
}

/** Reads the secret from stdin, because arguments are visible to other users in the process list. */
async function askForSecret(): Promise<string> {
  const secret = await readLine("New PIN or password: ");
  if (secret === null) throw new UsageError("no PIN or password was given");
  if (secret.length < 4 || secret.length > 200) throw new UsageError("a PIN or password has 4 to 200 characters");
  return secret;
}

async function personOf(db: WritableDb, name: string): Promise<PersonRow> {
  const person = (await listPeople(db)).find(
    (known) => known.name.toLowerCase() === name.trim().normalize("NFC").toLowerCase(),
  );
  if (!person) throw new AppError("NOT_FOUND", `There is no user ${name}.`);
  return person;
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
  return `${table}\n${isOn ? "Sign-in is on." : "Sign-in is off."}`;
}
