import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { temporaryFaultOf, temporaryFaultPauseMs } from "../../../core/system-fault.ts";
import { commitmentReport, type CommitmentReport } from "../../dicom/network/commitment/storage-commitment.ts";
import { reportFileEnding } from "../../dicom/network/receiving/received-report.ts";
import { receivedFileEnding } from "../../dicom/network/receiving/received-object.ts";
import { receivedDir } from "../../store/files/store-files.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { createSetAside } from "./set-aside.ts";
import { addObjectToWorklist } from "../import/import-files.ts";

/**
 * Keeps an object for a retry after temporary faults (full disk, store unavailable).
 *
 * @param onReport  receives storage commitment reports of nodes
 */
export function createReceivedObjects(
  context: DesktopContext,
  onReport: (report: CommitmentReport) => Promise<void>,
  retryMs = temporaryFaultPauseMs,
) {
  const folder = receivedDir(context.dataDir);
  const setAside = createSetAside(context, folder);
  let work = Promise.resolve();
  let isClosed = false;
  const waiting = new Set<string>();
  let again: NodeJS.Timeout | undefined;
  const inTurn = (step: () => Promise<void>) => {
    work = work.then(() => (isClosed ? undefined : step())).catch((error: unknown) => reportBug(context, error));
    return work;
  };
  const attempt = async (fileName: string) => {
    if (fileName.endsWith(reportFileEnding)) return processReport(path.join(folder, fileName), onReport);
    try {
      await importObject(context, path.join(folder, fileName));
    } catch (error) {
      if (!(error instanceof AppError) || temporaryFaultOf(error) !== null) throw error;
      // The object was acknowledged to its sender, so it is kept although unusable.
      await setAside.put(fileName, error);
    }
  };
  const importOrKeep = async (fileName: string) => {
    try {
      await attempt(fileName);
    } catch (error) {
      const fault = temporaryFaultOf(error);
      if (fault === null) throw error;
      context.log.warn({ code: fault.code }, "a received object waits");
      waiting.add(fileName);
      again ??= setTimeout(tryAgain, retryMs).unref();
    }
  };
  const tryAgain = () => {
    again = undefined;
    for (const fileName of waiting) void inTurn(() => importOrKeep(fileName));
    waiting.clear();
  };
  return {
    setAside,
    /** Resolves when the object is imported or waits for a retry. */
    import: (fileName: string) => inTurn(() => importOrKeep(fileName)),
    /**
     * Imports objects that an earlier run acknowledged, and deletes incomplete files. Must complete before new objects
     * are received, since it would delete them while incomplete.
     */
    importLeftovers: () =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          const isWhole = entry.name.endsWith(receivedFileEnding) || entry.name.endsWith(reportFileEnding);
          if (entry.isFile() && isWhole) void inTurn(() => importOrKeep(entry.name));
          // A file in use is deleted later by its age.
          else if (entry.isFile()) await rm(path.join(folder, entry.name), { force: true }).catch(() => undefined);
        }
        void inTurn(() => setAside.adopt());
      }),
    /** Remaining files are imported at the next start. */
    async close() {
      isClosed = true;
      clearTimeout(again);
      await work;
    },
  };
}

async function processReport(file: string, onReport: (report: CommitmentReport) => Promise<void>): Promise<void> {
  await onReport(commitmentReport.parse(JSON.parse(await readFile(file, "utf8"))));
  await rm(file, { force: true });
}

async function importObject(context: DesktopContext, file: string): Promise<void> {
  const bytes = await readFile(file);
  const contents = await context.dicom.contents(bytes);
  const name = `${contents.instance.sopInstanceUid ?? "object"}.dcm`;
  await addObjectToWorklist(context, { name, bytes, origin: "dicom", contents });
  await rm(file, { force: true });
}

function reportBug(context: DesktopContext, error: unknown): void {
  context.log.error({ error }, "a received object could not be imported");
  const message = "A received object could not be imported; Corvet retries at the next start";
  context.reportFault({ code: "INTERNAL", message });
}
