import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { FilmLevel } from "../views/film-levels.ts";
import type { ColumnView } from "../landmarks/average-column.ts";
import type { Agreement, LandmarkLook, ThoraxSighting } from "../landmarks/landmark-decoding.ts";
import type { HeartCloseUp } from "../landmarks/look-at-heart.ts";
import type { NetworkFrame } from "../views/landmark-frames.ts";
import type { NetworkManifest } from "../packs/pack-manifest.ts";

/** What a thread of the networks does, by name: what it is asked and what it answers. */
export type NetworkCalls = {
  /** Loads a pack in place of the one of its kind; that one stays when loading fails. Answers how many vote. */
  load: { request: { readonly folder: string; readonly manifest: NetworkManifest }; answer: number };
  unload: { request: { readonly kind: NetworkManifest["kind"] }; answer: null };
  /** Runs a pack's only network; the input is Float32Array of the manifest's shape, the answer its first output. */
  run: { request: { readonly kind: "gate" | "corners"; readonly input: Float32Array }; answer: Float32Array };
  /** Runs the gate on a grey film, or on what a frame shows of it; `levels` as `imageLevels` gives them. */
  judge: {
    request: { readonly levels: readonly FilmLevel[]; readonly frame: NetworkFrame | null };
    answer: Float32Array;
  };
  /** Where a member, by its number, sees the thorax in a view of a film; null for the locator. */
  locate: {
    request: { readonly kind: LandmarkKind; readonly member: number | null; readonly view: FilmView };
    answer: ThoraxSighting;
  };
  /** What a member, by its number, reads in a view of a film. */
  look: {
    request: { readonly kind: LandmarkKind; readonly member: number; readonly view: FilmView };
    answer: LandmarkLook;
  };
  /** On what the members agree who saw a film; `hearts` are their votes. */
  agree: {
    request: {
      readonly kind: LandmarkKind;
      readonly columns: readonly ColumnView[];
      readonly hearts: readonly HeartLandmarks[];
      readonly levels: readonly FilmLevel[];
    };
    answer: Agreement;
  };
  /** What a pack's network for the heart sees where the members voted; null where they voted none. */
  closeUp: {
    request: {
      readonly kind: LandmarkKind;
      readonly hearts: readonly HeartLandmarks[];
      readonly levels: readonly FilmLevel[];
    };
    answer: HeartCloseUp | null;
  };
};

export type LandmarkKind = "landmarks" | "landmarks-pop";

/** What a network sees of a film; `levels` as `imageLevels` gives them. */
export type FilmView = { readonly levels: readonly FilmLevel[]; readonly frame: NetworkFrame };

export type NetworkCallName = keyof NetworkCalls;

/** Asks the networks for one of these. */
export type NetworkCall = <Name extends NetworkCallName>(
  name: Name,
  request: NetworkCalls[Name]["request"],
) => Promise<NetworkCalls[Name]["answer"]>;
