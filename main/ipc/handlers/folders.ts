import type { foldersContract } from "../../../core/contract/desktop/folders.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Watched folders and the outbox. */
export function folderHandlers({ folders }: DesktopParts): Handlers<keyof typeof foldersContract> {
  return {
    "folders.get": () => folders.get(),
    "folders.save": (settings) => folders.save(settings),
  };
}
