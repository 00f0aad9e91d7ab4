import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { passingFaultOf, passingFaultPauseMs } from "../../../core/system-fault.ts";
import type { CommitmentReport } from "../../dicom/network/commitment/commitment-calls.ts";
import { commitmentReport } from "../../dicom/network/commitment/commitment-report.ts";
import { reportFileEnding } from "../../dicom/network/receiving/received-report.ts";
import { receivedFileEnding } from "../../dicom/network/receiving/received-object.ts";
import { receivedDir } from "../../store/store-files.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { createSetAside, type SetAside } from "./set-aside.ts";
import { addObjectToWorklist } from "../import/import-files.ts";

/** Takes received objects from their folder to the worklist, one after the other. */
export type ReceivedObjects = {
  /** Takes an object that has just come. Resolves when it is taken, or waits for another try. */
  take(fileName: string): Promise<void>;
  /**
   * Takes what an earlier run of the program acknowledged but did not get to, and deletes what never became whole. To
   * be awaited before anything new is received: from then on the two can be told apart.
   */
  takeWhatIsLeft(): Promise<void>;
  /** What was received and could not be shown. */
  readonly setAside: SetAside;
  /** Resolves when nothing is under way; what still lies there is taken at the next start. */
  close(): Promise<void>;
};

/**
 * A full disk or a store that is away says nothing of an object: it stays where it lies and is tried again.
 *
 * @param onTaken   after each film, which may be measured from then on
 * @param onReport  takes what a node says about objects that it was sent
 */
export function createReceivedObjects(
  context: DesktopContext,
  onTaken: () => void,
  onReport: (report: CommitmentReport) => Promise<void>,
  retryMs = passingFaultPauseMs,
): ReceivedObjects {
  const folder = receivedDir(context.dataDir);
  const setAside = createSetAside(context, folder, onTaken);
  let work = Promise.resolve();
  let isClosed = false;
  const waiting = new Set<string>();
  let again: NodeJS.Timeout | undefined;
  const inTurn = (step: () => Promise<void>) => {
    work = work.then(() => (isClosed ? undefined : step())).catch((error: unknown) => reportBug(context, error));
    return work;
  };
  const attempt = async (fileName: string) => {
    if (fileName.endsWith(reportFileEnding)) return takeReport(path.join(folder, fileName), onReport);
    try {
      await takeOne(context, path.join(folder, fileName));
      onTaken();
    } catch (error) {
      if (!(error instanceof AppError) || passingFaultOf(error) !== null) throw error;
      // The sender believes the object is safe here, so it is kept although it cannot be used.
      await setAside.put(fileName, error);
    }
  };
  const take = async (fileName: string) => {
    try {
      await attempt(fileName);
    } catch (error) {
      const fault = passingFaultOf(error);
      if (fault === null) throw error;
      context.log.warn({ code: fault.code }, "a received object waits");
      waiting.add(fileName);
      again ??= setTimeout(tryAgain, retryMs).unref();
    }
  };
  const tryAgain = () => {
    again = undefined;
    for (const fileName of waiting) void inTurn(() => take(fileName));
    waiting.clear();
  };
  return {
    setAside,
    take: (fileName) => inTurn(() => take(fileName)),
    takeWhatIsLeft: () =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await setAside.adopt();
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          const isWhole = entry.name.endsWith(receivedFileEnding) || entry.name.endsWith(reportFileEnding);
          if (entry.isFile() && isWhole) void inTurn(() => take(entry.name));
          else if (entry.isFile()) await rm(path.join(folder, entry.name), { force: true });
        }
      }),
    async close() {
      isClosed = true;
      clearTimeout(again);
      await work;
    },
  };
}

async function takeReport(file: string, onReport: (report: CommitmentReport) => Promise<void>): Promise<void> {
  await onReport(commitmentReport.parse(JSON.parse(await readFile(file, "utf8"))));
  await rm(file, { force: true });
}

async function takeOne(context: DesktopContext, file: string): Promise<void> {
  const bytes = await readFile(file);
  const { instance } = await context.dicom.contents(bytes);
  await addObjectToWorklist(context, { name: `${instance.sopInstanceUid ?? "object"}.dcm`, bytes, origin: "dicom" });
  await rm(file, { force: true });
}

function reportBug(context: DesktopContext, error: unknown): void {
  context.log.error({ error }, "a received object could not be taken");
  const message = "A received object could not be taken; Corvet tries again at the next start";
  context.reportFault({ at: context.now().toISOString(), code: "INTERNAL", message });
}
