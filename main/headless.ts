import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { AppError } from "../core/app-error.ts";
import { runCommand } from "./commands/running/run-command.ts";
import { UsageError } from "./commands/running/run-program.ts";
import { handOver, readFilmFile } from "./hand-over.ts";
import { offerPage } from "./browser/offer-page.ts";
import type { PageWindow } from "./browser/open-page.ts";
import { openCorvet, type Corvet, type CorvetOptions } from "./compose.ts";
import { isDataDirTaken, readServerFile } from "./instance-lock.ts";
import { readSignInPath } from "./ipc/page/page-sessions.ts";
import { openLog } from "./log.ts";
import { commandLine, defaultDataDir, defaultPort } from "./program.ts";
import { databaseOf, databaseVariable, isDatabaseAway } from "./services/program/store-place.ts";
import { namedByArguments } from "./services/import/opened-paths.ts";

/** How long a start waits before it asks for the database again [ms]. */
const askAgainMs = 3000;

const usage = `${commandLine("serve")} [--port N] [--data-dir DIR] [--packs DIR] [FILE or corvet://open?… …]
  --port N        port on the loopback addresses, 0 picks a free one (default ${defaultPort})
  --data-dir DIR  where the clinic's data are kept (default ${defaultDataDir()})
  --database URL  the practice's PostgreSQL database, postgres://USER@HOST/DATABASE?…; default: ${databaseVariable},
                  where a password stays out of the list of processes, or what the settings say; "file": the store
                  in the data directory, whatever these say
  --packs DIR     model packs to use instead of the program's own
  --page          print the address of the page for the browser
  --open          open the page: in a window of Chrome, Edge or Chromium, else in the default browser`;

runCommand("serve", usage, async (args, print) => {
  const { port, dataDir, packsDir, database, page, open, named } = readArguments(args);
  const log = openLog(dataDir, open);
  const offer = {
    isOpened: open,
    hasHint: page,
    system: { platform: process.platform, environment: process.env },
    print,
  };
  // A server.json may be left from a crash, and its port may now be another program's.
  const running = (page || open) && isDataDirTaken(dataDir) && readServerFile(dataDir);
  if (running) {
    for (const link of named.links) await handOver(dataDir, { link });
    for (const file of named.paths) await handOver(dataDir, await readFilmFile(file));
    print("Corvet is already running.");
    await offerPage({ url: running.url + readSignInPath(dataDir), dataDir, authorityFile: running.authority }, offer);
    return;
  }
  const corvet = await openWhenThere({
    dataDir,
    port,
    log,
    database,
    transport: "browser",
    ...(packsDir && { packsDir }),
  });
  let window: PageWindow | null = null;
  stopOnSignals(corvet, () => window?.close());
  print(`Corvet listens on ${corvet.url}`);
  const { authorityFile } = corvet;
  const offered = offerPage({ url: corvet.pageUrl(), dataDir, authorityFile }, offer);
  for (const link of named.links) await corvet.desktop.current().openings.askByLink(link);
  await corvet.desktop.openPaths(named.paths);
  window = await offered;
  if (open) print("Corvet runs until you press Ctrl+C here.");
});

/** A service that starts with its machine waits for an unreachable database and logs the reason. */
async function openWhenThere(options: CorvetOptions): Promise<Corvet> {
  for (let said = ""; ;) {
    try {
      return await openCorvet(options);
    } catch (error) {
      if (!isDatabaseAway(error, options.dataDir, options) || databaseOf(options.dataDir, options) === null)
        throw error;
      if (error.message !== said) options.log.warn({ code: error.code }, `${error.message} Trying again.`);
      said = error.message;
      await delay(askAgainMs);
    }
  }
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    args,
    options: {
      port: { type: "string" },
      "data-dir": { type: "string" },
      packs: { type: "string" },
      database: { type: "string" },
      page: { type: "boolean", default: false },
      open: { type: "boolean", default: false },
    },
  });
  const port = Number(values.port ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be 0 to 65535, not ${values.port}`);
  if (values["data-dir"]?.trim() === "") throw new UsageError("--data-dir must not be empty");
  return {
    port,
    dataDir: path.resolve(values["data-dir"] ?? defaultDataDir()),
    packsDir: values.packs && path.resolve(values.packs),
    database: values.database,
    page: values.page,
    open: values.open,
    named: namedByArguments(positionals, process.cwd()),
  };
}

/** The first signal waits for requests in flight; a second one does not. */
function stopOnSignals(corvet: Corvet, beforeStop: () => void): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    beforeStop();
    corvet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(
          `Corvet did not stop cleanly: ${error instanceof AppError || error instanceof Error ? error.message : String(error)}\n`,
        );
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // A terminal that closes.
  process.on("SIGHUP", stop);
}
