import { Command } from "commander";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { dataDirOption, wholeNumber } from "./commands/running/options.ts";
import { print, runProgram } from "./commands/running/run-program.ts";
import { sendToRunningProgram } from "./send-to-running-program.ts";
import { offerPage } from "./browser/offer-page.ts";
import type { PageWindow } from "./browser/open-page.ts";
import { openCorvet, type Corvet, type CorvetOptions } from "./compose.ts";
import { startNetworkPool } from "./inference/threads/network-pool.ts";
import { isDataDirTaken, readServerFile } from "./instance-lock.ts";
import { readSignInPath } from "./ipc/page/page-sessions.ts";
import { openLog } from "./log.ts";
import { databaseVariable, defaultPort } from "./program.ts";
import { namedByArguments } from "./services/import/named-by-arguments.ts";

/** Interval between attempts to open the store [ms]. */
const retryMs = 3000;

type ServeOptions = {
  readonly port: number;
  readonly dataDir: string;
  readonly packs?: string;
  readonly database?: string;
  readonly page?: boolean;
  readonly open?: boolean;
};

async function serve(files: readonly string[], options: ServeOptions): Promise<void> {
  const { port, packs, database, page = false, open = false } = options;
  const dataDir = path.resolve(options.dataDir);
  const named = namedByArguments(files, process.cwd());
  const log = openLog(dataDir, open);
  const offer = {
    isOpened: open,
    hasHint: page,
    system: { platform: process.platform, environment: process.env },
    print,
  };
  // After a crash a server.json may be left, whose port another program may use now.
  const running = (page || open) && isDataDirTaken(dataDir) && readServerFile(dataDir);
  if (running) {
    for (const link of named.links) await sendToRunningProgram(dataDir, { link });
    if (named.paths.length > 0) await sendToRunningProgram(dataDir, { paths: named.paths });
    print("Corvet is already running.");
    await offerPage({ url: running.url + readSignInPath(dataDir), dataDir, authorityFile: running.authority }, offer);
    return;
  }
  const corvet = await openWhenReachable({
    // The thread starts while this one loads the modules of the store.
    pool: startNetworkPool(),
    dataDir,
    port,
    log,
    database,
    ...(packs && { packsDir: path.resolve(packs) }),
  });
  let window: PageWindow | null = null;
  stopOnSignals(corvet, () => window?.close());
  print(`Corvet listens on ${corvet.url}`);
  const { authorityFile } = corvet;
  const offered = offerPage({ url: corvet.pageUrl(), dataDir, authorityFile }, offer);
  for (const link of named.links) await corvet.desktop.current().openings.openLink(link);
  await corvet.desktop.openPaths(named.paths);
  window = await offered;
  if (open) print("Corvet runs until you press Ctrl+C here.");
}

/** The service may start before the network. */
async function openWhenReachable(options: CorvetOptions): Promise<Corvet> {
  for (let logged = ""; ;) {
    try {
      return await openCorvet(options);
    } catch (error) {
      // Loaded on demand, like the store.
      const { databaseOf, isDatabaseAway } = await import("./services/program/store-location.ts");
      if (!isDatabaseAway(error, options.dataDir, options)) throw error;
      // Throws if the address cannot be decrypted, which waiting does not change.
      databaseOf(options.dataDir, options);
      if (error.message !== logged) options.log.warn({ code: error.code }, `${error.message} Trying again.`);
      logged = error.message;
      await delay(retryMs);
    }
  }
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
          `Corvet did not stop cleanly: ${error instanceof Error ? error.message : String(error)}\n`,
        );
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // The terminal was closed.
  process.on("SIGHUP", stop);
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("run the service, with a page for the browser; not clinically validated")
    .argument("[file...]", "films and folders to open, or a corvet://open link")
    .option("--port <n>", "port on the loopback addresses, 0 for a free one", wholeNumber(0, 65_535), defaultPort)
    .addOption(dataDirOption())
    .option(
      "--database <url>",
      `the practice's PostgreSQL database, or "file" for the store in the data directory (default: ${databaseVariable}, which hides a password from the list of processes, else the settings)`,
    )
    .option("--packs <dir>", "model packs to use instead of the program's own")
    .option("--page", "print the address of the page for the browser")
    .option("--open", "open the page in a window of Chrome, Edge or Chromium, else in the default browser")
    .action(serve);
}

if (import.meta.main) await runProgram(serveCommand(), process.argv.slice(2));
