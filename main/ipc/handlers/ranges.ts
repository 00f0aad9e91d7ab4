import type { rangesContract } from "../../../core/contract/desktop/ranges.ts";
import { listOwnRanges, removeOwnRange, saveOwnRange } from "../../services/practice/own-ranges.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** The clinic's own reference ranges. */
export function rangeHandlers({ context }: DesktopParts): Handlers<keyof typeof rangesContract> {
  return {
    "ranges.list": () => ({ ranges: listOwnRanges(context) }),
    "ranges.save": ({ id, range }) => ({ ranges: saveOwnRange(context, id, range) }),
    "ranges.remove": ({ id }) => ({ ranges: removeOwnRange(context, id) }),
  };
}
