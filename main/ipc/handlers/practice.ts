import type { databaseContract } from "../../../core/contract/desktop/practice/database.ts";
import type { foldersContract } from "../../../core/contract/desktop/practice/folders.ts";
import type { hl7Contract } from "../../../core/contract/desktop/practice/hl7.ts";
import type { openingContract } from "../../../core/contract/desktop/practice/opening.ts";
import type { rangesContract } from "../../../core/contract/desktop/practice/ranges.ts";
import { listOwnRanges, removeOwnRange, saveOwnRange } from "../../services/practice/own-ranges.ts";
import { createPracticeDatabase } from "../../services/program/sharing/practice-database.ts";
import { tryDatabase } from "../../services/program/sharing/try-database.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

type PracticeContract = typeof databaseContract &
  typeof foldersContract &
  typeof hl7Contract &
  typeof openingContract &
  typeof rangesContract;

export function practiceHandlers(parts: DesktopParts): Handlers<keyof PracticeContract> {
  const { context, options, jobs, folders, openings, mllp } = parts;
  const { database: named, sealer = null, restart = null } = options;
  const database = createPracticeDatabase(context, { database: named, sealer, restart });
  return {
    "database.get": () => database.get(),
    "database.test": ({ testId, address }) => jobs.run(testId, (signal) => tryDatabase(context, address, signal)),
    "database.choose": ({ address }) => database.choose(address),
    "database.restart": () => database.restart(),
    "hl7.get": () => mllp.get(),
    "hl7.save": (destination) => mllp.save(destination),
    "hl7.test": async (destination) => ({ failure: await mllp.test(destination) }),
    "hl7.sendNow": () => mllp.sendNow(),
    "hl7.discardRefused": () => mllp.discardRefused(),
    "folders.get": () => folders.get(),
    "folders.save": (settings) => folders.save(settings),
    "opening.claim": () => ({ opening: openings.claim() }),
    "opening.import": async ({ openingId }) => ({ filmId: await openings.import(openingId) }),
    "ranges.list": async () => ({ ranges: await listOwnRanges(context) }),
    "ranges.save": async ({ id, range }) => ({ ranges: await saveOwnRange(context, id, range) }),
    "ranges.remove": async ({ id }) => ({ ranges: await removeOwnRange(context, id) }),
  };
}
