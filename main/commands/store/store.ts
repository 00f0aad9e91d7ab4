import { Command } from "commander";
import { databaseVariable } from "../../program.ts";
import { copyFilmImages, type CopiedImages } from "../../services/desktop/copy-film-images.ts";
import { chooseDatabase, chosenDatabase } from "../../services/program/store-location.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { nameOfTable } from "../../store/copying/copied-tables.ts";
import { copyStore, type CopyProgress } from "../../store/copying/copy-store.ts";
import type { CopyTarget } from "../../store/copying/unfinished-copy.ts";
import { openPostgresStore } from "../../store/engines/postgres/open-postgres-store.ts";
import { verifyRecord } from "../../store/record/record-verification.ts";
import { notOpenedDir, storeFile } from "../../store/files/store-files.ts";
import { describeRecord } from "../output/verified-record.ts";
import { dataDirOption } from "../running/options.ts";
import { print, UsageError } from "../running/run-program.ts";
import { asRefusedRight, isDatabase, openSource, openTarget, displayedPlace } from "../running/copied-stores.ts";
import { existsSync } from "node:fs";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { openStore } from "../../store/database.ts";
import { asOperatingSystemUser } from "../running/acting-command.ts";

type GivenCopy = { readonly from?: string; readonly to?: string };

export function storeCommand(): Command {
  const store = new Command("store").description("copy a store between a data directory and PostgreSQL").addHelpText(
    "after",
    `
PLACE: a data directory, or postgres://USER:PASSWORD@HOST:PORT/DATABASE (default: ${databaseVariable}; a password there,
or in .pgpass, is hidden from users who list the processes of this computer)`,
  );
  store
    .command("copy")
    .description("copy a whole store; Corvet must not be running on either side, the target must be empty")
    .option("--from <place>", "the store to copy")
    .option("--to <place>", "the new store; a database is copied as its owner")
    .addHelpText(
      "after",
      `
The same command resumes an interrupted copy; until it is complete, Corvet does not open the target. At the end both
sides are compared row by row, and the ledger and seals of the copy are verified. The source stays unchanged. To start
over, use an empty database, or delete corvet.db.copying from the data directory.`,
    )
    .action(async ({ from, to }: GivenCopy) => {
      if (from === undefined && to === undefined) throw new UsageError("copy needs --from, --to or both");
      const url = process.env[databaseVariable];
      await copy(named("--from", from ?? url), named("--to", to ?? url)).catch((error: unknown) => {
        throw asRefusedRight(error);
      });
    });
  store
    .command("verify")
    .description("update the tables of a store in PostgreSQL (as their owner), then verify ledger and sealed values")
    .option("--database <url>", "the database")
    .action(({ database }: { readonly database?: string }) =>
      verify(named("--database", database ?? process.env[databaseVariable])),
    );
  store
    .command("use-file")
    .description("use the data directory's own store from the next start on, if the database is lost for good")
    .addOption(dataDirOption())
    .action(async ({ dataDir }: { readonly dataDir: string }) => print(await useFile(dataDir)));
  return store;
}

function named(option: string, place: string | undefined): string {
  if (place === undefined || place === "")
    throw new UsageError(`${option} is missing, and ${databaseVariable} is not set`);
  return place;
}

async function verify(url: string): Promise<void> {
  if (!isDatabase(url)) throw new UsageError("--database is a postgres:// address; a data directory has ledger verify");
  await using db = await openPostgresStore(url, { isTimeLimited: false });
  print(describeRecord(await verifyRecord(db, null)));
}

async function copy(from: string, to: string): Promise<void> {
  if (displayedPlace(from) === displayedPlace(to)) throw new UsageError("--from and --to are the same store");
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

/** A data directory contains its films next to the store. */
function filmsOf({ db, place }: Pick<CopyTarget, "db" | "place">) {
  return { db, dataDir: place };
}

function faultsOf({ missing, damaged }: CopiedImages): string[] {
  return [
    ...listed("Missing in the source already", missing),
    ...listed("Damaged in the source, copied as is", damaged),
  ];
}

function listed(what: string, names: readonly string[]): string[] {
  const left = names.length - namesListed;
  return [
    ...names.slice(0, namesListed).map((name) => `${what}: ${name}`),
    ...(left > 0 ? [`${what}: ${left} more`] : []),
  ];
}

async function leftBehind(db: ReadableDb, dataDir: string | null): Promise<string> {
  const objects = db.selectFrom("setAsideObjects").select(({ fn }) => fn.countAll<number>().as("rows"));
  const { rows } = await objects.executeTakeFirstOrThrow();
  const where = dataDir === null ? "in the data directories of the workstations" : `in ${notOpenedDir(dataDir)}`;
  return `Not copied, because they are not in the store: the files of ${rows} objects that were set aside. They are ${where}.`;
}

function createProgress(): (progress: CopyProgress) => void {
  return ({ step, table, rows, ofRows }) => {
    const line = `${step} ${nameOfTable(table)}: ${rows} of ${ofRows}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}${rows >= ofRows ? "\n" : ""}`);
    else if (rows >= ofRows) process.stderr.write(`${line}\n`);
  };
}

/** For a database that is lost. Audited in the data directory's store if there is one. */
async function useFile(dataDir: string): Promise<string> {
  const place = chosenDatabase(dataDir);
  const file = storeFile(dataDir);
  if (place === null) throw new UsageError(`no database was chosen in the settings of ${dataDir}`);
  if (existsSync(file)) {
    await using db = await openStore(dataDir, { create: false, setAside: false });
    const event = { action: "database.chosen", at: new Date(), subject: "corvet.db" } as const;
    await asOperatingSystemUser(() => recordAudit(db, event));
  }
  chooseDatabase(dataDir, null, null);
  const named = process.env[databaseVariable] ? ` ${databaseVariable} still names a database here.` : "";
  return `From the next start on the store is ${file}. The data in ${place} stays there.${named}`;
}
