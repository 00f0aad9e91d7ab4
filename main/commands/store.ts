import { parseArgs } from "node:util";
import { defaultDataDir } from "../program.ts";
import { copyFilmImages, type CopiedImages } from "../services/desktop/copy-film-images.ts";
import { databaseVariable } from "../services/program/store-place.ts";
import type { ReadableDb } from "../store/connection.ts";
import { nameOfTable } from "../store/copying/copied-tables.ts";
import { copyStore, type CopyProgress } from "../store/copying/copy-store.ts";
import type { CopyTarget } from "../store/copying/unfinished-copy.ts";
import { openPostgresStore } from "../store/engines/postgres/open-postgres-store.ts";
import { verifyRecord } from "../store/record/record-verification.ts";
import { notOpenedDir } from "../store/store-files.ts";
import { describeRecord } from "./output/verified-record.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { useFile } from "./running/use-file.ts";
import { asRefusedRight, isDatabase, openSource, openTarget, shownPlace } from "./running/store-ends.ts";

const usage = `store copy   [--from PLACE] [--to PLACE]   copies a whole store: a PLACE is a data directory, or
                                           postgres://USER:PASSWORD@HOST:PORT/DATABASE
store verify [--database URL]              brings the tables of a store in PostgreSQL up to date (as their owner), then
                                           verifies ledger and sealed values
store use-file [--data-dir DIR]            drops the database chosen in the settings, from the next start on: the way
                                           back when it is gone for good
A PLACE or URL left out is the database that ${databaseVariable} names. A password there, or in .pgpass, is hidden
from anyone who lists the processes of this machine.
copy: Corvet must not be running on either side, and a database is copied as its owner. The target has no store yet.
The same command resumes an interrupted copy; until it is complete, no Corvet opens the target. At the end both sides
are compared row by row, and ledger and seals of the copy are verified. The source stays as it was. To start over: an
empty database, or a data directory without corvet.db.copying. Film images are copied too: a database keeps them in a
table, a data directory in its folder films.`;

runCommand("store", usage, async (args, print) => {
  const { values, positionals } = parseArgs({
    args,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      database: { type: "string" },
      "data-dir": { type: "string" },
    },
    allowPositionals: true,
  });
  const [verb = "", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("too many arguments");
  const url = process.env[databaseVariable];
  switch (verb) {
    case "copy": {
      if (values.from === undefined && values.to === undefined) throw new UsageError("copy needs --from, --to or both");
      const [from, to] = [named("--from", values.from ?? url), named("--to", values.to ?? url)];
      return await copy(from, to, print).catch((error: unknown) => {
        throw asRefusedRight(error);
      });
    }
    case "verify":
      return await verify(named("--database", values.database ?? url), print);
    case "use-file":
      return print(await useFile(values["data-dir"] ?? defaultDataDir()));
    default:
      throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  }
});

function named(option: string, place: string | undefined): string {
  if (place === undefined || place === "")
    throw new UsageError(`${option} is missing, and ${databaseVariable} is not set`);
  return place;
}

async function verify(url: string, print: (line: string) => void): Promise<void> {
  if (!isDatabase(url)) throw new UsageError("--database is a postgres:// address; a data directory has ledger verify");
  const db = await openPostgresStore(url, { isTimeLimited: false });
  try {
    print(describeRecord(await verifyRecord(db, null)));
  } finally {
    await db.destroy();
  }
}

async function copy(from: string, to: string, print: (line: string) => void): Promise<void> {
  if (shownPlace(from) === shownPlace(to)) throw new UsageError("--from and --to are the same store");
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      const onProgress = createProgress();
      let images = noImages;
      const copyImages = async () => {
        const table = "filmImages";
        images = await copyFilmImages(filmsOf(source), filmsOf(target), (rows, ofRows) =>
          onProgress({ step: "copying", table, rows, ofRows }),
        );
      };
      const { rows, record } = await copyStore({ source, target, copyImages, onProgress });
      const left = await leftBehind(source.db, isDatabase(from) ? null : source.place);
      await target.complete();
      const same = `${rows} rows and ${images.images} images of films are the same in ${source.place} and ${target.place}.`;
      print([same, ...faultsOf(images), describeRecord(record), left].join("\n"));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const namesListed = 20;
const noImages: CopiedImages = { images: 0, missing: [], damaged: [] };

/** A data directory has its films beside the store. */
function filmsOf({ db, place }: Pick<CopyTarget, "db" | "place">) {
  return { db, dataDir: place };
}

function faultsOf({ missing, damaged }: CopiedImages): string[] {
  return [
    ...listed("Missing in the source already", missing),
    ...listed("Damaged in the source, copied as is", damaged),
  ];
}

/** A line for each, as far as somebody reads them. */
function listed(what: string, names: readonly string[]): string[] {
  const left = names.length - namesListed;
  return [
    ...names.slice(0, namesListed).map((name) => `${what}: ${name}`),
    ...(left > 0 ? [`${what}: ${left} more`] : []),
  ];
}

/** What a store names and does not hold. */
async function leftBehind(db: ReadableDb, dataDir: string | null): Promise<string> {
  const objects = db.selectFrom("setAsideObjects").select(({ fn }) => fn.countAll<number>().as("rows"));
  const { rows } = await objects.executeTakeFirstOrThrow();
  const where = dataDir === null ? "in the data directories of the workstations" : `in ${notOpenedDir(dataDir)}`;
  return `Not copied, because they are not in the store: the files of ${rows} objects that were set aside. They are ${where}.`;
}

/** On a terminal one line that changes; elsewhere a line for each table. */
function createProgress(): (progress: CopyProgress) => void {
  return ({ step, table, rows, ofRows }) => {
    const line = `${step} ${nameOfTable(table)}: ${rows} of ${ofRows}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}${rows >= ofRows ? "\n" : ""}`);
    else if (rows >= ofRows) process.stderr.write(`${line}\n`);
  };
}
