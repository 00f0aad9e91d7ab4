import type { PlainKey } from "../../../core/language/catalogue.ts";

/** `share`: fraction, shown as a percentage; `v`: vertebrae; `number`: without unit. */
export type FigureUnit = "share" | "v" | "number";

/** Known figures by the name that the training writes into a manifest, in display order. */
export const figureNames: Readonly<
  Record<string, { readonly name: PlainKey; readonly of?: PlainKey; readonly unit: FigureUnit }>
> = {
  "real, hi-res.vhs_mae": { name: "packs.vhsError", of: "packs.ofRealLarge", unit: "v" },
  "real, thumbnail.vhs_mae": { name: "packs.vhsError", of: "packs.ofRealSmall", unit: "v" },
  "simulated, phantom.vhs_mae": { name: "packs.vhsError", of: "packs.ofSimulated", unit: "v" },
  "real, hi-res.vlas_mae": { name: "packs.vlasError", of: "packs.ofRealLarge", unit: "v" },
  "simulated, phantom.vlas_mae": { name: "packs.vlasError", of: "packs.ofSimulated", unit: "v" },
  "real dogs, left out by members and networks for heart and column.rlad_mae": {
    name: "packs.rladError",
    of: "packs.ofLeftOut",
    unit: "v",
  },
  "simulated atria, phantom.rlad_mae": { name: "packs.rladError", of: "packs.ofSimulatedAtria", unit: "v" },

  "photographs recognised as such": { name: "packs.photographsRecognised", unit: "share" },
  "photographs that give a VHS": { name: "packs.photographsMeasured", unit: "share" },
  "VHS mean absolute error of the photographs [v]": { name: "packs.vhsError", of: "packs.ofPhotographs", unit: "v" },
  "VHS mean absolute error of the same films direct [v]": { name: "packs.vhsError", of: "packs.ofDirect", unit: "v" },
  "VHS of photograph and film apart, mean [v]": { name: "packs.vhsApart", unit: "v" },

  "real laterals, as they are: accepted": { name: "packs.filmsAccepted", of: "packs.ofReal", unit: "share" },
  "simulated direct: accepted": { name: "packs.filmsAccepted", of: "packs.ofSimulated", unit: "share" },
  "simulated pop: accepted": { name: "packs.photographsAccepted", of: "packs.ofSimulatedPhotographs", unit: "share" },
  "real negatives: rejected": { name: "packs.picturesRejected", of: "packs.ofRealPictures", unit: "share" },
  "simulated negatives: rejected": { name: "packs.picturesRejected", of: "packs.ofSimulatedPictures", unit: "share" },

  "films as they are: corners found": { name: "packs.filmFound", of: "packs.ofPlainFilms", unit: "share" },
  "films as they are: found and within 3% of the diagonal": {
    name: "packs.cornersClose",
    of: "packs.ofPlainFilms",
    unit: "share",
  },
  "varied films: found and within 3% of the diagonal": {
    name: "packs.cornersClose",
    of: "packs.ofVariedFilms",
    unit: "share",
  },
  "varied films: median of the four corners' mean error where found, parts of the diagonal": {
    name: "packs.cornerError",
    of: "packs.ofVariedFilms",
    unit: "share",
  },
  "pictures without a film: no corners": { name: "packs.nothingFound", unit: "share" },

  auc: { name: "packs.auc", unit: "number" },
  sensitivity: { name: "packs.sensitivity", unit: "share" },
  specificity: { name: "packs.specificity", unit: "share" },
  brier: { name: "packs.brier", unit: "number" },
};
