import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

type State = DesktopResponse<"folders.get">;

export function FolderState({ state, path }: { readonly state: State; readonly path: string }) {
  const text = useText();
  const found = state.folders.find((folder) => folder.path === path);
  if (!found) return null;
  if (!found.isReachable) return text("folders.unreachable");
  const { waiting, opened, failed, leftOut } = found;
  const counts = text("folders.state", { waiting, opened, failed });
  return leftOut === 0 ? counts : `${counts}. ${text("folders.leftOut", { leftOut })}`;
}

export function OutboxState({ state: { outbox } }: { readonly state: State }) {
  const text = useText();
  const format = useFormat();
  if (!outbox) return text("folders.outboxNote");
  if (!outbox.isWritable) return text("folders.notWritable");
  const at = outbox.lastWrittenAt ? format.minute(outbox.lastWrittenAt) : text("folders.never");
  return text("folders.outboxState", { waiting: outbox.waiting, at });
}
