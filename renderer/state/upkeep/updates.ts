import type { DesktopChannel, DesktopRequest } from "../../../core/contract/desktop.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { call } from "../connection.ts";
import { useNavigation } from "../navigation.ts";
import { channelQuery, queryClient, useChannel } from "../queries.ts";

type Action = Extract<DesktopChannel, "updates.check" | "updates.openFile" | "updates.later">;

/** Condition that delays the installation of a release; null if there is none. */
export function installBlocker({ outcome, release }: UpdateState) {
  if (outcome?.kind === "wait") return outcome.reason;
  return release?.waitsForOwner ? "owner" : null;
}

export function useUpdates(): UpdateState | null {
  return useChannel("updates.get", {}).value;
}

export function setUpdates(state: UpdateState): void {
  queryClient.setQueryData(channelQuery("updates.get", {}).queryKey, state);
}

export async function runUpdateAction(action: Action): Promise<void> {
  setUpdates(await call(action, {}));
}

export async function configureUpdates(change: DesktopRequest<"updates.configure">): Promise<void> {
  setUpdates(await call("updates.configure", change));
}

/** Restarts and installs the pending release, unless a correction is unsaved or work is in progress. */
export async function installUpdate(): Promise<void> {
  setUpdates(await call("updates.install", { isUnsaved: useNavigation.getState().guard !== null }));
}
