import { AppError } from "../../../core/app-error.ts";
import type { Billing } from "../../../core/contract/v3/billing.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { FeatureKey } from "../../../core/usg/features.ts";
import { readScreeningPayload } from "../../../core/usg/screening-payload.ts";
import { screen, type Screening, type UsgModel } from "../../../core/usg/screening.ts";
import type { PackStatus } from "../../inference/packs/pack-registry.ts";
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

/** A screening requested through the API; `callId` is unique. */
type ScreeningCall = Caller & { readonly callId: string };

/** Urine concentration screening, one instance shared by API and window. */
export type UsgScreening = {
  /** Returns the model in use. @throws AppError MODELS_NOT_LOADED */
  model(): UsgModel;
  /** Returns the pack in use; null without one. */
  pack(): UsgPack | null;
  packs(): readonly PackStatus[];
  /**
   * Reads, corrects, scores and explains a request. Stores and counts nothing.
   *
   * @param body    the parsed JSON body, of any shape
   * @param stated  features whose unit must not be corrected; the API has no such parameter
   * @throws AppError INVALID_BODY, MISSING_FEATURES, INVALID_VALUE, OUT_OF_RANGE, MODELS_NOT_LOADED
   */
  predict(body: unknown, stated?: readonly FeatureKey[]): PatientScreening;
  /**
   * Writes a screening to the prediction log and its charge to the ledger, in one transaction. The response may be sent
   * once this settles: both are durable or the user was notified. Never rejects.
   */
  record(call: ScreeningCall, screening: PatientScreening): Promise<void>;
  /** Calls the listener after each recorded screening. */
  onRecorded(listener: Listener): void;
  /** Reloads the packs; keeps the model in use if none is valid. */
  reload(wantedPack: string | null): Promise<void>;
};

type UsgPackSource = {
  readonly packFolders: readonly string[];
  readonly wantedPack: string | null;
  readonly load?: typeof loadUsgPacks;
};

/**
 * Opens screening with the selected pack, or the first valid one. Reports a refused pack and a substituted one; neither
 * prevents opening.
 *
 * @param packFolders  bundled pack folder first, then the user's
 * @param load         loads the packs; tests pass one that keeps the program's parsed pack
 */
export async function openUsgScreening(
  context: UsgContext,
  { packFolders, wantedPack, load = loadUsgPacks }: UsgPackSource,
): Promise<UsgScreening> {
  let loaded = await loadAndReport(context, { packFolders, wantedPack, load });
  const listeners: Listener[] = [];
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
    async record(call, screening) {
      try {
        await writeScreening(context, call, screening);
      } catch (error) {
        markUnbilled(context, call.callId, error);
        return reportUnrecorded(context, error);
      }
      for (const listener of listeners) listener();
    },
    onRecorded: (listener) => void listeners.push(listener),
    async reload(wanted) {
      loaded = await loadAndReport(context, { packFolders, wantedPack: wanted, load }, loaded.active);
    },
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

async function writeScreening(
  context: UsgContext,
  call: ScreeningCall,
  { pack, ...screening }: PatientScreening,
): Promise<void> {
  const at = context.now();
  await transaction(context.db, async () => {
    // A failed charge is reported and rolled back alone; the log then contains the call as unbilled.
    const billing = await recordAnsweredCall(context, {
      ...call,
      answerUntil: null,
      service: "usg",
      callType: "single",
      uuid: screening.uuid,
      at,
      isBillable: true,
      measurements: [],
    });
    await insertUsgPrediction(context.db, {
      ...call,
      patientId: null,
      uuid: screening.uuid,
      clinicCode: screening.clinicCode,
      at,
      screening,
      ...keptOf(pack),
      programVersion: context.programVersion,
      billing: screeningBillingOf(billing),
    });
  });
}

function screeningBillingOf(billing: Billing): ScreeningBilling {
  if (billing.billable) return "billed";
  return billing.reason === "recheck_24h" ? "recheck_24h" : "billing_error";
}

function reportUnrecorded(context: UsgContext, error: unknown): void {
  const cause = error instanceof Error ? error.message : String(error);
  context.reportFault({
    code: "LEDGER_NOT_WRITTEN",
    message: `An answered screening could not be recorded and was not billed: ${cause}`,
  });
}
