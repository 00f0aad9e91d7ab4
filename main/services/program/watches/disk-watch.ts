import { statfs } from "node:fs/promises";
import { AppError, because, failureOf } from "../../../../core/app-error.ts";
import { createPoller } from "../../desktop/poller.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

/** Free space that triggers a notification, and that makes `health` degraded [bytes]. */
const lowBytes = 1_000_000_000;
const criticalBytes = 200_000_000;
/** Short, so that a resolved warning disappears soon [ms]. */
const checkEveryMs = 5000;

type DiskWatchOptions = {
  readonly isBesideDatabase?: boolean;
  readonly everyMs?: number | undefined;
  readonly freeBytes?: (folder: string) => Promise<number>;
};

/** Notifies the user once below 1 GB, and raises a trouble below 200 MB. */
export async function startDiskWatch(
  context: Pick<ServiceContext, "dataDir" | "log" | "reportFault">,
  troubles: Troubles,
  { isBesideDatabase = false, everyMs = checkEveryMs, freeBytes = freeBytesOf }: DiskWatchOptions = {},
): Promise<{ stop(): void }> {
  let isReported = false;
  const check = async () => {
    const free = await freeBytes(context.dataDir);
    const detail = isBesideDatabase
      ? because("lowSpaceBesideDatabase")
      : `Only ${Math.floor(free / 1e6)} MB are free on the disk of ${context.dataDir}.`;
    if (free >= criticalBytes) troubles.clear("LOW_SPACE", isReported && free >= lowBytes);
    else if (!troubles.list().some(({ code }) => code === "LOW_SPACE")) troubles.raise("LOW_SPACE", detail);
    if (free >= criticalBytes && free < lowBytes && !isReported)
      context.reportFault(failureOf(new AppError("LOW_SPACE", detail)));
    isReported = free < lowBytes;
  };
  const poller = createPoller(check, everyMs, (error) =>
    context.log.warn({ error }, "free disk space could not be determined"),
  );
  await poller.poll();
  poller.start();
  return { stop: () => void poller.close() };
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
