import { AppError } from "../../../core/app-error.ts";
import { passingFaultOf } from "../../../core/system-fault.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/**
 * One film that cannot be read does not keep the others from leaving: null for such a one.
 *
 * @throws AppError ABORTED, DISK_FULL, STORE_UNAVAILABLE and what else is not the film's fault
 */
export async function unlessUnreadable<Result>(
  { log }: Partial<Pick<ServiceContext, "log">>,
  read: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    const isStopped = error instanceof AppError && error.code === "ABORTED";
    if (isStopped || passingFaultOf(error) !== null) throw error;
    log?.warn(
      { cause: error instanceof AppError ? error.code : error instanceof Error ? error.name : "unknown" },
      "a film cannot be read and is left out of what leaves",
    );
    return null;
  }
}
