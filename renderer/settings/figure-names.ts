import type { Message } from "../ui/message.ts";
import { packMessages as words } from "../ui/messages/packs.ts";

/** `share`: a part of 1, shown in percent; `v`: vertebrae; `number`: without unit. */
export type FigureUnit = "share" | "v" | "number";

/** Figures under the names that the training writes into a manifest, in the order in which they are shown. */
export const figureNames: Readonly<
  Record<string, { readonly name: Message; readonly of?: Message; readonly unit: FigureUnit }>
> = {
  "real, hi-res.vhs_mae": { name: words.vhsError, of: words.ofRealLarge, unit: "v" },
  "real, thumbnail.vhs_mae": { name: words.vhsError, of: words.ofRealSmall, unit: "v" },
  "simulated, phantom.vhs_mae": { name: words.vhsError, of: words.ofSimulated, unit: "v" },
  "real, hi-res.vlas_mae": { name: words.vlasError, of: words.ofRealLarge, unit: "v" },
  "simulated, phantom.vlas_mae": { name: words.vlasError, of: words.ofSimulated, unit: "v" },

  "photographs recognised as such": { name: words.photographsRecognised, unit: "share" },
  "photographs that give a VHS": { name: words.photographsMeasured, unit: "share" },
  "VHS mean absolute error of the photographs [v]": { name: words.vhsError, of: words.ofPhotographs, unit: "v" },
  "VHS mean absolute error of the same films direct [v]": { name: words.vhsError, of: words.ofDirect, unit: "v" },
  "VHS of photograph and film apart, mean [v]": { name: words.vhsApart, unit: "v" },

  "real laterals, as they are: accepted": { name: words.filmsAccepted, of: words.ofReal, unit: "share" },
  "simulated direct: accepted": { name: words.filmsAccepted, of: words.ofSimulated, unit: "share" },
  "simulated pop: accepted": { name: words.photographsAccepted, of: words.ofSimulatedPhotographs, unit: "share" },
  "real negatives: rejected": { name: words.picturesRejected, of: words.ofRealPictures, unit: "share" },
  "simulated negatives: rejected": { name: words.picturesRejected, of: words.ofSimulatedPictures, unit: "share" },

  "films as they are: corners found": { name: words.filmFound, of: words.ofPlainFilms, unit: "share" },
  "films as they are: found and within 3% of the diagonal": {
    name: words.cornersClose,
    of: words.ofPlainFilms,
    unit: "share",
  },
  "varied films: found and within 3% of the diagonal": {
    name: words.cornersClose,
    of: words.ofVariedFilms,
    unit: "share",
  },
  "varied films: median of the four corners' mean error where found, parts of the diagonal": {
    name: words.cornerError,
    of: words.ofVariedFilms,
    unit: "share",
  },
  "pictures without a film: no corners": { name: words.nothingFound, unit: "share" },

  auc: { name: words.auc, unit: "number" },
  sensitivity: { name: words.sensitivity, unit: "share" },
  specificity: { name: words.specificity, unit: "share" },
  brier: { name: words.brier, unit: "number" },
};
