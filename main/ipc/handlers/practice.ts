import type { foldersContract } from "../../../core/contract/desktop/folders.ts";
import type { openingContract } from "../../../core/contract/desktop/opening.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** What practice software has to do with: watched folders, the outbox, and what it asks to see. */
export function practiceHandlers({
  folders,
  openings,
}: DesktopParts): Handlers<keyof typeof foldersContract | keyof typeof openingContract> {
  return {
    "folders.get": () => folders.get(),
    "folders.save": (settings) => folders.save(settings),
    "opening.take": () => ({ opening: openings.take() }),
    "opening.import": async ({ openingId }) => ({ filmId: await openings.import(openingId) }),
  };
}
