import type { foldersContract } from "../../../core/contract/desktop/practice/folders.ts";
import type { hl7Contract } from "../../../core/contract/desktop/practice/hl7.ts";
import type { openingContract } from "../../../core/contract/desktop/practice/opening.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** What practice software has to do with: watched folders, the outbox, results by MLLP, and what it asks to see. */
export function practiceHandlers({
  folders,
  openings,
  mllp,
}: DesktopParts): Handlers<keyof typeof foldersContract | keyof typeof hl7Contract | keyof typeof openingContract> {
  return {
    "hl7.get": () => mllp.get(),
    "hl7.save": (destination) => mllp.save(destination),
    "hl7.test": async (destination) => ({ failure: await mllp.test(destination) }),
    "hl7.sendNow": () => mllp.sendNow(),
    "hl7.discardRefused": () => mllp.discardRefused(),
    "folders.get": () => folders.get(),
    "folders.save": (settings) => folders.save(settings),
    "opening.take": () => ({ opening: openings.take() }),
    "opening.import": async ({ openingId }) => ({ filmId: await openings.import(openingId) }),
  };
}
