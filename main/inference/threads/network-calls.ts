import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { FilmLevels } from "../views/film-levels.ts";
import type { ColumnView } from "../landmarks/average-column.ts";
import type { Agreement, LandmarkLook, ThoraxSighting } from "../landmarks/landmark-decoding.ts";
import type { HeartCloseUp } from "../landmarks/measure-heart-close-up.ts";
import type { NetworkFrame } from "../views/landmark-frames.ts";
import type { ManifestOf, NetworkManifest } from "../packs/pack-manifest.ts";

export type NetworkCalls = {
  /** Replaces the pack of the same kind, which stays if loading fails. */
  load: { request: { readonly folder: string; readonly manifest: NetworkManifest }; answer: null };
  unload: { request: { readonly kind: NetworkManifest["kind"] }; answer: null };
  /** Runs a pack's only network, and returns its first output. */
  run: { request: { readonly kind: "gate" | "corners"; readonly input: Float32Array }; answer: Float32Array };
  judge: {
    request: { readonly levels: FilmLevels; readonly frame: NetworkFrame | null };
    answer: Float32Array;
  };
  /** `member` is an index, or null for the locator. */
  locate: {
    request: { readonly kind: LandmarkKind; readonly member: number | null; readonly view: FilmView };
    answer: ThoraxSighting;
  };
  look: {
    request: { readonly kind: LandmarkKind; readonly member: number; readonly view: FilmView };
    answer: LandmarkLook;
  };
  agree: {
    request: {
      readonly kind: LandmarkKind;
      readonly columns: readonly ColumnView[];
      readonly hearts: readonly HeartLandmarks[];
      readonly levels: FilmLevels;
    };
    answer: Agreement;
  };
  /** Runs the pack's heart networks around the members' votes; null if these have no axes. */
  closeUp: {
    request: {
      readonly kind: LandmarkKind;
      readonly hearts: readonly HeartLandmarks[];
      readonly levels: FilmLevels;
    };
    answer: HeartCloseUp | null;
  };
};

export type LandmarkKind = "landmarks" | "landmarks-pop";
export type LandmarkManifest = ManifestOf<LandmarkKind>;

export type FilmView = { readonly levels: FilmLevels; readonly frame: NetworkFrame };

export type NetworkCallName = keyof NetworkCalls;

export type NetworkCall = <Name extends NetworkCallName>(
  name: Name,
  request: NetworkCalls[Name]["request"],
) => Promise<NetworkCalls[Name]["answer"]>;
