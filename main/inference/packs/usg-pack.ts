import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import type { PackRelease } from "../../../core/cardiac/verdict/provenance.ts";
import { featureCount } from "../../../core/usg/features.ts";
import { riskTierLimits } from "../../../core/usg/risk-tiers.ts";
import type { UsgModel } from "../../../core/usg/screening.ts";
import { logOddsOf } from "../../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../../core/usg/tree-shap.ts";
import { parseXgboostModel } from "../../../core/usg/xgboost-model.ts";
import { discoverPacks, statusOf, wantedFirst, type FoundPack, type PackStatus } from "./discover-packs.ts";
import { readPackFile } from "./pack-files.ts";
import { parseDocument, shapedAs } from "./pack-document.ts";
import type { PackFile } from "./pack-manifest.ts";
import type { Publisher } from "./pack-trust.ts";

const usgManifestSchema = z.object({
  members: z.array(z.unknown()).length(1, "a screening pack has one model"),
  decoding: z.object({
    thresholdImpaired: z.number().gt(riskTierLimits.low).lt(riskTierLimits.high),
    sgCutoff: z.number().gt(1).lt(1.1),
  }),
  /** Rows in the order of the version endpoint, null for missing, with the log-odds computed by XGBoost. */
  golden: z
    .object({
      rows: z.array(z.array(z.number().nullable()).length(featureCount)).min(1).max(64),
      logOdds: z.array(z.number()),
      tolerance: z.number().positive().max(0.01),
    })
    .refine(({ rows, logOdds }) => rows.length === logOdds.length, "golden rows and logOdds differ in number")
    .optional(),
});

export type UsgPack = {
  readonly name: string;
  readonly version: string;
  readonly release: PackRelease | null;
  readonly model: UsgModel;
};

/** Screening packs in the folders: the active one, null without a usable pack, and the state of each. */
export type UsgPacks = { readonly active: UsgPack | null; readonly packs: readonly PackStatus[] };

/**
 * Loads the chosen screening pack if it is valid, else the first valid one. `wantedName`: null for the program's own.
 */
export function loadUsgPacks(
  folders: readonly string[],
  wantedName: string | null = null,
  publishers: readonly Publisher[] = [],
): UsgPacks {
  const discovery = discoverPacks(folders, publishers);
  const found = discovery.packs.filter(({ manifest }) => manifest.kind === "usg");
  let active: UsgPack | null = null;
  const packs = wantedFirst(found, wantedName).map((pack): PackStatus => {
    try {
      const loaded = loadUsgPack(pack);
      const state = active === null ? "active" : "available";
      active ??= loaded;
      return statusOf(pack, state);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return statusOf(pack, "refused", error);
    }
  });
  return { active, packs };
}

/** @throws AppError PACK_REFUSED */
function loadUsgPack({ folder, manifest }: FoundPack): UsgPack {
  const { decoding, golden } = shapedAs(usgManifestSchema, manifest, "manifest.json");
  const [member] = manifest.members as [PackFile];
  const trees = parseXgboostModel(parseDocument(readPackFile(folder, member), member.file));
  golden?.rows.forEach((row, number) => {
    const logOdds = logOddsOf(
      trees,
      Float64Array.from(row, (value) => value ?? Number.NaN),
    );
    if (!(Math.abs(logOdds - (golden.logOdds[number] as number)) <= golden.tolerance)) {
      throw new AppError(
        "PACK_REFUSED",
        because("packGoldenRow", { row: number, found: String(logOdds), stated: String(golden.logOdds[number]) }),
      );
    }
  });
  const { modelVersion, name, version, release = null } = manifest;
  return {
    name,
    version,
    release,
    model: { modelVersion, ...decoding, trees, explainer: createExplainer(trees) },
  };
}
