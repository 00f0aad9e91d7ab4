import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openCorvet, type Corvet, type CorvetOptions } from "../../main/compose.ts";
import { openLog } from "../../main/log.ts";
import { recordingEngine } from "../fixtures/recording/recording-engine.ts";
import { putPrepared } from "./prepared-data-dir.ts";
import { markSetUp, type Program } from "./program.ts";

/** Opens the program in this process, with the recording engine unless packs are given. */
export async function openRecordedProgram(
  options: Pick<CorvetOptions, "dataDir" | "port"> & Partial<CorvetOptions>,
): Promise<Corvet> {
  const log = openLog(options.dataDir);
  log.level = "warn";
  const engine = options.packsDir === undefined && { engine: await recordingEngine() };
  return await openCorvet({ log, ...engine, ...options });
}

export type OpenedProgram = Program & {
  readonly corvet: Corvet;
  close(): Promise<void>;
  /** Opens it again on the same port and data directory, so that an open page reconnects. */
  openAgain(): Promise<void>;
};

type Options = Partial<CorvetOptions> & {
  readonly isFirstRun?: boolean;
  readonly disk?: string;
};

export async function openProgram({
  isFirstRun = false,
  disk = tmpdir(),
  ...options
}: Options = {}): Promise<OpenedProgram> {
  const dataDir = mkdtempSync(path.join(disk, "corvet-journey-"));
  if (!isFirstRun) await (options.database ? markSetUp(dataDir, options.database) : putPrepared(dataDir));
  let corvet = await openRecordedProgram({ ...options, dataDir, port: 0 });
  const origin = corvet.url;
  return {
    get corvet() {
      return corvet;
    },
    dataDir,
    pageUrl: corvet.pageUrl(),
    origin,
    newAddress: async () => corvet.pageUrl(),
    close: () => corvet.close(),
    async openAgain() {
      corvet = await openRecordedProgram({ ...options, dataDir, port: Number(new URL(origin).port) });
    },
    async stop() {
      await corvet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
