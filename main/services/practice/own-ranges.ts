import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import { faultOfOwnRange } from "../../../core/cardiac/reference/own-range-fault.ts";
import type { OwnRange, OwnRangeFields } from "../../../core/cardiac/reference/own-range.ts";
import { currentActor } from "../../store/audit/acting.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getSetting, ownRangesSetting, saveSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";

export async function listOwnRanges({ db }: DesktopContext): Promise<OwnRange[]> {
  return [...(await getSetting(db, ownRangesSetting))];
}

/** @param id  null for a new range @throws AppError NOT_FOUND, INVALID_FIELD */
export async function saveOwnRange(
  context: DesktopContext,
  id: string | null,
  fields: OwnRangeFields,
): Promise<OwnRange[]> {
  const enteredBy = currentActor().who ?? (await getDesktopSettings(context.db)).userName;
  const now: OwnRange = { ...fields, id: id ?? randomUUID(), enteredBy, enteredAt: context.now().toISOString() };
  return change(context, (before) => {
    const was = id === null ? null : known(before, id);
    const others = before.filter((range) => range !== was);
    const fault = faultOfOwnRange(fields, others);
    if (fault) throw new AppError("INVALID_FIELD", fault.reason);
    return { was, now, ranges: was ? before.map((range) => (range === was ? now : range)) : [...before, now] };
  });
}

/** The published range applies again. @throws AppError NOT_FOUND */
export function removeOwnRange(context: DesktopContext, id: string): Promise<OwnRange[]> {
  return change(context, (before) => {
    const was = known(before, id);
    return { was, now: null, ranges: before.filter((range) => range !== was) };
  });
}

function known(ranges: readonly OwnRange[], id: string): OwnRange {
  const found = ranges.find((range) => range.id === id);
  if (!found) throw new AppError("NOT_FOUND");
  return found;
}

type Change = { readonly was: OwnRange | null; readonly now: OwnRange | null; readonly ranges: OwnRange[] };

async function change(context: DesktopContext, changed: (before: readonly OwnRange[]) => Change): Promise<OwnRange[]> {
  const { db } = context;
  const ranges = await transaction(db, async () => {
    const { was, now, ranges } = changed(await listOwnRanges(context));
    await saveSetting(db, ownRangesSetting, ranges);
    await recordAudit(db, {
      action: "settings.changed",
      at: context.now(),
      subject: ownRangesSetting.key,
      detail: { was: was && inWords(was), now: now && inWords(now) },
    });
    return ranges;
  });
  context.raise({ name: "ranges.changed", payload: { ranges } });
  return ranges;
}

function inWords({ measure, species, breed, low, high, source }: OwnRange): string {
  return `${measure} ${species} ${breed || "*"} ${low ?? ""}–${high} v (${source})`;
}
