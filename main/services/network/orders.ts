import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { findSteps } from "../../dicom/network/nodes.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getNode, receiverSetting } from "./dicom-settings.ts";
import { inOrderOfTime, orderOf, worklistIdentifier } from "./order-query.ts";
import { nodeWithSecrets } from "./node-with-secrets.ts";
import type { RunningJobs } from "../desktop/running-jobs.ts";

type Found = DesktopResponse<"orders.find">;

/** @throws AppError NOT_FOUND, CONFLICT for a DICOMweb server */
export function findOrders(
  context: DesktopContext,
  jobs: RunningJobs,
  { jobId, nodeId, query }: DesktopParsedRequest<"orders.find">,
): Promise<Found> {
  return jobs.run(jobId, async (signal) => {
    const reached = await nodeWithSecrets(context, await getNode(context.db, nodeId));
    if ("reason" in reached) return { orders: [], isCutOff: false, failure: reached };
    if (reached.kind === "web") throw new AppError("CONFLICT", because("worklistByWeb"));
    const { aeTitle } = await getSetting(context.db, receiverSetting);
    const { matches, isCutOff, failure } = await findSteps(reached, worklistIdentifier(query), { aeTitle, signal });
    return { orders: inOrderOfTime(matches.map(orderOf)), isCutOff, failure };
  });
}
