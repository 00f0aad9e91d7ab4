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
import type { PackKind, PackReleaser } from "./packs/pack-manifest.ts";
import type { ActivePackNames, PackStatus } from "./packs/pack-registry.ts";

export type EngineHealth = {
  readonly modelsLoaded: number;
  readonly popModelsLoaded: number;
  readonly isPopEnabled: boolean;
  /** The gate and the landmark networks are loaded: without either, nothing is measured. */
  readonly canMeasure: boolean;
  /** A pack or a thread that a complete program has did not load. */
  readonly isDegraded: boolean;
  readonly modelVersion: string;
  /** Kinds for which another pack than the chosen one is in use, or none. */
  readonly notAsChosen: readonly PackKind[];
  /** The landmark pack was released by a publisher whom the clinic has added; false without one. */
  readonly isClinicallyValidated: boolean;
  /** That publisher, and who released the landmark pack; null for a pack that is not validated. */
  readonly release: PackReleaser | null;
  readonly packs: readonly PackStatus[];
};

/** One frame of a capture session: the rectified film with its measurement. */
export type PopFrame =
  | { readonly film: RectifiedFilm; readonly measurement: MeasuredRadiograph }
  | { readonly film: null; readonly measurement: RejectedImage | UnrectifiedImage };

export type MeasureOptions = {
  /** Measuring stops before the next network once this is aborted. */
  readonly signal?: AbortSignal;
  /** Networks of an earlier image go first [ms of `performance.now`]; the present time by default. */
  readonly cameAtMs?: number;
};

/** The one entrance to the networks. They run in threads of their own; several images may be under way. */
export type Engine = {
  health(): EngineHealth;
  /**
   * Gate, then the ensemble for a direct film or corners, rectification, gate and the PoP network for a photograph.
   * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED for a photograph, ABORTED
   */
  measure(film: DecodedImage, options?: MeasureOptions): Promise<RadiographMeasurement>;
  /**
   * Takes the image for a photograph of a screen unless the gate refuses it, before or after rectification.
   * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
   */
  measurePhotograph(photo: DecodedImage, options?: MeasureOptions): Promise<PopFrame>;
  /**
   * TL,TR,BR,BL [px of the full-size upright image], null when no film is seen. @throws AppError POP_NOT_LOADED,
   * ABORTED
   */
  findCorners(photo: DecodedImage, options?: MeasureOptions): Promise<Corners | null>;
  /** Reads the pack folders again; a pack that fails leaves the one in use unchanged. */
  reload(activePacks?: ActivePackNames): Promise<void>;
  close(): Promise<void>;
};

/** Packs of the engine, and the program version for every measurement. */
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
