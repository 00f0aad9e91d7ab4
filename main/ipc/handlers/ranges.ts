import type { rangesContract } from "../../../core/contract/desktop/practice/ranges.ts";
import { listOwnRanges, removeOwnRange, saveOwnRange } from "../../services/practice/own-ranges.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** The clinic's own reference ranges. */
export function rangeHandlers({ context }: DesktopParts): Handlers<keyof typeof rangesContract> {
  return {
    "ranges.list": async () => ({ ranges: await listOwnRanges(context) }),
    "ranges.save": async ({ id, range }) => ({ ranges: await saveOwnRange(context, id, range) }),
    "ranges.remove": async ({ id }) => ({ ranges: await removeOwnRange(context, id) }),
  };
}
