import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import { faultOfOwnRange } from "../../../core/cardiac/reference/own-range-fault.ts";
import type { OwnRange, OwnRangeFields } from "../../../core/cardiac/reference/own-range.ts";
import { currentActor } from "../../store/audit/acting.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { getSetting, ownRangesSetting, saveSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";

/** The clinic's own reference ranges, in the order in which they were entered. */
export function listOwnRanges({ db }: DesktopContext): OwnRange[] {
  return [...getSetting(db, ownRangesSetting)];
}

/**
 * Adds a range, or replaces one, in the name of whoever is signed in.
 *
 * @param id  null for a new one
 * @throws AppError NOT_FOUND, INVALID_FIELD
 */
export function saveOwnRange(context: DesktopContext, id: string | null, fields: OwnRangeFields): OwnRange[] {
  const before = listOwnRanges(context);
  const was = id === null ? null : known(before, id);
  const others = before.filter((range) => range !== was);
  const fault = faultOfOwnRange(fields, others);
  if (fault) throw new AppError("INVALID_FIELD", fault.reason);
  const enteredBy = currentActor().who ?? getDesktopSettings(context.db).userName;
  const now: OwnRange = { ...fields, id: id ?? randomUUID(), enteredBy, enteredAt: context.now().toISOString() };
  return keep(context, was ? before.map((range) => (range === was ? now : range)) : [...before, now], { was, now });
}

/** Removes a range; the published one counts again. @throws AppError NOT_FOUND */
export function removeOwnRange(context: DesktopContext, id: string): OwnRange[] {
  const before = listOwnRanges(context);
  const was = known(before, id);
  return keep(
    context,
    before.filter((range) => range !== was),
    { was, now: null },
  );
}

function known(ranges: readonly OwnRange[], id: string): OwnRange {
  const found = ranges.find((range) => range.id === id);
  if (!found) throw new AppError("NOT_FOUND");
  return found;
}

type Change = { readonly was: OwnRange | null; readonly now: OwnRange | null };

function keep(context: DesktopContext, ranges: OwnRange[], { was, now }: Change): OwnRange[] {
  const { db } = context;
  const save = db.transaction(() => {
    saveSetting(db, ownRangesSetting, ranges);
    recordAudit(db, {
      action: "settings.changed",
      at: context.now(),
      subject: ownRangesSetting.key,
      detail: { was: was && inWords(was), now: now && inWords(now) },
    });
  });
  save.immediate();
  context.publish({ name: "ranges.changed", payload: { ranges } });
  return ranges;
}

function inWords({ measure, species, breed, low, high, source }: OwnRange): string {
  return `${measure} ${species} ${breed || "*"} ${low ?? ""}–${high} v (${source})`;
}
