import type { PackRelease } from "../../core/cardiac/verdict/provenance.ts";
import type { Corners } from "../../core/cardiac/points.ts";
import type {
  MeasuredRadiograph,
  RadiographMeasurement,
  RejectedImage,
  UnrectifiedImage,
} from "../../core/cardiac/radiograph-measurement.ts";
import type { DecodedImage } from "../imaging/decode-image.ts";
import type { RectifiedFilm } from "../imaging/rectify.ts";
import type { Publisher } from "./packs/pack-trust.ts";
import type { PackKind } from "./packs/pack-manifest.ts";
import type { PackStatus } from "./packs/discover-packs.ts";
import type { ActivePackNames } from "./packs/pack-registry.ts";

export type EngineHealth = {
  readonly modelsLoaded: number;
  readonly popModelsLoaded: number;
  readonly isPopEnabled: boolean;
  /** Whether the gate and the landmark networks are loaded; without both, nothing is measured. */
  readonly canMeasure: boolean;
  /** Whether a required pack or thread did not load, or a chosen pack is not in use. */
  readonly isDegraded: boolean;
  readonly modelVersion: string;
  readonly notAsChosen: readonly PackKind[];
  /** Release of the landmark pack; null if it is not clinically validated. */
  readonly release: PackRelease | null;
  readonly packs: readonly PackStatus[];
};

export type PopFrame =
  | { readonly film: RectifiedFilm; readonly measurement: MeasuredRadiograph }
  | { readonly film: null; readonly measurement: RejectedImage | UnrectifiedImage };

export type MeasureOptions = {
  /** Aborting stops the measurement before the next network. */
  readonly signal?: AbortSignal;
  /** Arrival time [ms of `performance.now`], now by default; earlier images have priority. */
  readonly cameAtMs?: number;
};

/** Interface to the networks. They run in separate threads, and several images can be measured concurrently. */
export type Engine = {
  health(): EngineHealth;
  /**
   * Runs the gate, then the ensemble for a direct film; for a photograph corner detection, rectification, the gate
   * again and the PoP network.
   *
   * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED for a photograph, ABORTED
   */
  measure(film: DecodedImage, options?: MeasureOptions): Promise<RadiographMeasurement>;
  /**
   * Measures the image as a photograph of a screen, unless the gate rejects it before or after rectification.
   *
   * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
   */
  measurePhotograph(photo: DecodedImage, options?: MeasureOptions): Promise<PopFrame>;
  /**
   * TL,TR,BR,BL [px of the full-size upright image]; null if no film is found. @throws AppError POP_NOT_LOADED, ABORTED
   */
  findCorners(photo: DecodedImage, options?: MeasureOptions): Promise<Corners | null>;
  /** Rereads the pack folders. If a pack fails, the one in use stays. */
  reload(activePacks?: ActivePackNames): Promise<void>;
  close(): Promise<void>;
};

export type EngineOptions = {
  /** The program's pack folder first, then the user's. */
  readonly packFolders: readonly string[];
  readonly activePacks?: ActivePackNames;
  /** Publishers added by the clinic, read at each reload. */
  readonly publishers?: () => Promise<readonly Publisher[]>;
  readonly programVersion: string;
  readonly log: {
    warn(fields: Readonly<Record<string, unknown>>, message: string): void;
    error(fields: Readonly<Record<string, unknown>>, message: string): void;
  };
};
