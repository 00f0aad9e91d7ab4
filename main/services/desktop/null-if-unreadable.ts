import { AppError } from "../../../core/app-error.ts";
import { temporaryFaultOf } from "../../../core/system-fault.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/**
 * Returns null for an unreadable film, so that an export continues with the others.
 *
 * @throws AppError ABORTED, DISK_FULL, STORE_UNAVAILABLE and other errors not caused by the film
 */
export async function nullIfUnreadable<Result>(
  { log }: Partial<Pick<ServiceContext, "log">>,
  read: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    const isStopped = error instanceof AppError && error.code === "ABORTED";
    if (isStopped || temporaryFaultOf(error) !== null) throw error;
    log?.warn(
      { cause: error instanceof AppError ? error.code : error instanceof Error ? error.name : "unknown" },
      "an unreadable film was left out of an export",
    );
    return null;
  }
}
