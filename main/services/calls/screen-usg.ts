import { AppError } from "../../../core/app-error.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { FeatureKey } from "../../../core/usg/features.ts";
import { readScreeningPayload } from "../../../core/usg/screening-payload.ts";
import { screen, type Screening, type UsgModel } from "../../../core/usg/screening.ts";
import type { PackStatus } from "../../inference/packs/discover-packs.ts";
import { loadUsgPacks, type UsgPack, type UsgPacks } from "../../inference/packs/usg-pack.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getSetting, publishersSetting } from "../../store/settings.ts";
import type { Caller } from "../../store/people/api-keys.ts";
import { insertUsgPrediction, type ScreeningBilling } from "../../store/calls/usg-predictions.ts";
import { markUnbilled, recordAnsweredCall } from "./delivery.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

export type UsgContext = Pick<ServiceContext, "db" | "now" | "reportFault" | "programVersion" | "deliveries">;

type Listener = () => void;

export type PatientScreening = Screening & {
  readonly uuid: string | null;
  readonly clinicCode: string | null;
  readonly pack: UsgPack;
};

type ScreeningCall = Caller & { readonly callId: string };

/** Urine concentration screening, one instance shared by API and window. */
export type UsgScreening = {
  /** @throws AppError MODELS_NOT_LOADED */
  model(): UsgModel;
  pack(): UsgPack | null;
  packs(): readonly PackStatus[];
  /**
   * Stores and counts nothing.
   *
   * @param body    the parsed JSON body, of any shape
   * @param stated  features whose unit must not be corrected; the API has no such parameter
   * @throws AppError INVALID_BODY, MISSING_FEATURES, INVALID_VALUE, OUT_OF_RANGE, MODELS_NOT_LOADED
   */
  predict(body: unknown, stated?: readonly FeatureKey[]): PatientScreening;
  /**
   * Writes a screening and its charge, batched with concurrent ones. The response may be sent once this settles: both
   * are durable or the user was notified. Never rejects.
   */
  record(call: ScreeningCall, screening: PatientScreening): Promise<void>;
  /** Calls the listener once per batch of recorded screenings. */
  onRecorded(listener: Listener): void;
  /** Keeps the model in use if no pack is valid. */
  reload(wantedPack: string | null): Promise<void>;
  /** Call before the store closes. */
  close(): Promise<void>;
};

type Entry = {
  readonly call: ScreeningCall;
  readonly screening: PatientScreening;
  readonly at: Date;
  readonly written: () => void;
};

type UsgPackSource = {
  readonly packFolders: readonly string[];
  readonly wantedPack: string | null;
  readonly load?: typeof loadUsgPacks;
};

/**
 * Opens screening with the selected pack, or the first valid one, and reports a refused or substituted one.
 *
 * @param packFolders  bundled pack folder first, then the user's
 * @param load         tests pass one that keeps the program's parsed pack
 */
export async function openUsgScreening(
  context: UsgContext,
  { packFolders, wantedPack, load = loadUsgPacks }: UsgPackSource,
): Promise<UsgScreening> {
  let loaded = await loadAndReport(context, { packFolders, wantedPack, load });
  const listeners: Listener[] = [];
  const group = createGroup(context, () => {
    for (const listener of listeners) listener();
  });
  const inUse = (): UsgPack => {
    if (loaded.active === null) throw new AppError("MODELS_NOT_LOADED", "No screening model is loaded");
    return loaded.active;
  };
  return {
    model: () => inUse().model,
    pack: () => loaded.active,
    packs: () => loaded.packs,
    predict(body, stated) {
      const { values, uuid, clinicCode } = readScreeningPayload(body);
      const pack = inUse();
      return { ...screen(pack.model, values, stated), uuid, clinicCode, pack };
    },
    record: (call, screening) => group.add({ call, screening, at: context.now() }),
    onRecorded: (listener) => void listeners.push(listener),
    async reload(wanted) {
      loaded = await loadAndReport(context, { packFolders, wantedPack: wanted, load }, loaded.active);
    },
    close: group.write,
  };
}

export function keptOf({ name, version, model, release }: UsgPack) {
  return { packName: name, packVersion: version, thresholdImpaired: model.thresholdImpaired, release };
}

async function loadAndReport(
  context: UsgContext,
  { packFolders, wantedPack, load }: Required<UsgPackSource>,
  before: UsgPack | null = null,
): Promise<UsgPacks> {
  const { active: found, packs } = load(packFolders, wantedPack, await getSetting(context.db, publishersSetting));
  const active = found ?? before;
  const report = (code: ErrorCode, message: string) => context.reportFault({ code, message });
  const isReplaced = wantedPack !== null && active?.name !== wantedPack;
  const refused = packs.filter(({ state }) => state === "refused");
  if (isReplaced) {
    const reason = refused.find(({ name }) => name === wantedPack)?.reason ?? "it is not in the pack folders";
    report(
      "PACK_REFUSED",
      `Screening pack ${wantedPack} was chosen but is not used: ${reason}. ${active?.name ?? "No pack"} is used in its place`,
    );
  }
  for (const { name, reason } of refused.filter((pack) => !isReplaced || pack.name !== wantedPack)) {
    report("PACK_REFUSED", `Screening pack ${name} is not used: ${reason}`);
  }
  if (found === null) report("MODELS_NOT_LOADED", "No screening model is loaded");
  return { active, packs };
}

/** Batches screenings of one turn of the event loop, and those received during a write, into one disk sync. */
function createGroup(context: UsgContext, notify: Listener) {
  let entries: Entry[] = [];
  let writing: Promise<void> | null = null;
  const writePending = async (): Promise<void> => {
    while (entries.length > 0) {
      const due = entries;
      entries = [];
      const isWritten = await writeAll(context, due);
      for (const { written } of due) written();
      if (isWritten) notify();
    }
  };
  const write = (): Promise<void> => (writing ??= writePending().finally(() => (writing = null)));
  return {
    add(entry: Omit<Entry, "written">): Promise<void> {
      if (entries.length === 0) setImmediate(() => void write());
      return new Promise((written) => void entries.push({ ...entry, written }));
    },
    write,
  };
}

/** Writes each in a savepoint, so that an invalid row rolls back alone. @returns whether the rows were written */
async function writeAll(context: UsgContext, entries: readonly Entry[]): Promise<boolean> {
  try {
    await transaction(context.db, async () => {
      for (const entry of entries) await writeOne(context, entry);
    });
    return true;
  } catch (error) {
    for (const { call } of entries) markUnbilled(context, call.callId, error);
    reportUnrecorded(context, entries.length, error);
    return false;
  }
}

async function writeOne(context: UsgContext, { call, screening, at }: Entry): Promise<void> {
  const { uuid, clinicCode, pack } = screening;
  try {
    await transaction(context.db, async () => {
      const billing = await charge(context, { call, screening, at });
      await insertUsgPrediction(context.db, {
        ...call,
        patientId: null,
        uuid,
        clinicCode,
        at,
        screening,
        ...keptOf(pack),
        programVersion: context.programVersion,
        billing,
      });
    });
  } catch (error) {
    reportUnrecorded(context, 1, error);
  }
}

/** A failure rolls back the charge only; the prediction log then records the call as unbilled. */
async function charge(context: UsgContext, { call, screening, at }: Omit<Entry, "written">): Promise<ScreeningBilling> {
  const outcome = await recordAnsweredCall(context, {
    ...call,
    answerUntil: null,
    service: "usg",
    callType: "single",
    uuid: screening.uuid,
    at,
    isBillable: true,
    measurements: [],
  });
  if (outcome.billable) return "billed";
  return outcome.reason === "recheck_24h" ? "recheck_24h" : "billing_error";
}

function reportUnrecorded(context: UsgContext, count: number, error: unknown): void {
  const cause = error instanceof Error ? error.message : String(error);
  context.reportFault({
    code: "LEDGER_NOT_WRITTEN",
    message: `${count} answered ${count === 1 ? "screening" : "screenings"} could not be recorded and ${count === 1 ? "was" : "were"} not billed: ${cause}`,
  });
}
