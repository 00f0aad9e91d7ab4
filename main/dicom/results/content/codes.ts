import { sequence, text, type DataSet, type Element } from "../data-set.ts";

export type Code = readonly [value: string, scheme: string, meaning: string];

export const privateScheme = "99CORVET";

const dcm = (value: string, meaning: string): Code => [value, "DCM", meaning];
const sct = (value: string, meaning: string): Code => [value, "SCT", meaning];
const own = (value: string, meaning: string): Code => [value, privateScheme, meaning];

/** Concepts of the report. @see DICOM PS3.16, templates 1500, 1501, 1600, 1002–1004, 300, 4019, 2010 */
export const codes = {
  report: dcm("126000", "Imaging Measurement Report"),
  language: dcm("121049", "Language of Content Item and Descendants"),
  english: ["en", "RFC5646", "English"],
  observerType: dcm("121005", "Observer Type"),
  person: dcm("121006", "Person"),
  device: dcm("121007", "Device"),
  personName: dcm("121008", "Person Observer Name"),
  organization: dcm("121009", "Person Observer's Organization Name"),
  deviceUid: dcm("121012", "Device Observer UID"),
  deviceName: dcm("121013", "Device Observer Name"),
  deviceManufacturer: dcm("121014", "Device Observer Manufacturer"),
  deviceModel: dcm("121015", "Device Observer Model Name"),
  procedure: dcm("121058", "Procedure reported"),
  chestRadiograph: sct("399208008", "Plain chest X-ray"),
  imageLibrary: dcm("111028", "Image Library"),
  imageLibraryGroup: dcm("126200", "Image Library Group"),
  pixelRows: dcm("110910", "Pixel Data Rows"),
  pixelColumns: dcm("110911", "Pixel Data Columns"),
  pixelAspect: own("pixel-aspect", "Pixel height divided by pixel width"),
  measurements: dcm("126010", "Imaging Measurements"),
  group: dcm("125007", "Measurement Group"),
  trackingIdentifier: dcm("112039", "Tracking Identifier"),
  trackingUid: dcm("112040", "Tracking Unique Identifier"),
  findingSite: sct("363698007", "Finding Site"),
  heart: sct("80891009", "Heart"),
  algorithmName: dcm("111001", "Algorithm Name"),
  algorithmVersion: dcm("111003", "Algorithm Version"),
  ofInterest: dcm("113000", "Of Interest"),
  keyObjectDescription: dcm("113012", "Key Object Description"),
  comment: dcm("121106", "Comment"),
  rangeText: dcm("121407", "Normal Range description"),
  rangeAuthority: dcm("121408", "Normal Range Authority"),
  longAxis: sct("103339001", "Long Axis"),
  shortAxis: sct("103340004", "Short Axis"),
  spread: own("spread", "Spread of the ensemble"),
  sharpness: own("sharpness", "Sharpness of the heat maps"),
  gateConfidence: own("gate-confidence", "Confidence that this is a lateral thoracic radiograph"),
  edges: own("vertebral-edges", "Cranial edges of the vertebrae from T4 on"),
  ruler: own("vertebral-ruler", "Vertebral ruler from Vertebra A to Vertebra B"),
  outline: own("heart-outline", "Outline of the heart from which the axes are derived"),
  change: own("change", "Change since the previous visit"),
  intervalLow: own("interval-low", "Lower end of the interval"),
  intervalHigh: own("interval-high", "Upper end of the interval"),
  intervalCoverage: own("interval-share", "Probability that the interval contains the value"),
  rulerKind: own("ruler-kind", "Kind of the vertebral ruler"),
  rulerDetected: own("ruler-detected", "Single vertebrae"),
  rulerFallback: own("ruler-fallback", "A to B in six equal parts"),
  tier: own("confidence-tier", "Confidence tier"),
  resultCode: own("result-code", "Result of the measurement"),
  reviewReason: own("review-reason", "Reason to review the measurement"),
  figure: own("figure", "Value that led to the review"),
  limit: own("limit", "Limit above which a review is advised"),
  noScore: own("no-vhs", "No vertebral heart score in the valid range"),
  noVlas: own("no-vlas", "No vertebral left atrial size in the valid range"),
  memberScatter: own("member-scatter", "Scatter of the networks' own vertebral heart scores"),
  axesAngle: own("axes-angle", "Angle between the axes of the heart"),
  shortRuler: own("short-ruler", "Vertebral ruler shorter than the short axis"),
  geometry: own("geometry", "Heart and column not as on a lateral thoracic film"),
  outsideFilm: own("outside-film", "Vertebral ruler or cardiac axis leaves the film"),
  smallThorax: own("small-thorax", "Small thorax; the whole film was classified as another kind"),
  filmBorder: own("film-border", "Border of the photographed film incomplete or contradictory"),
  blurred: own("blurred", "Photograph blurred"),
  pixelShape: own("pixel-shape", "Pixel spacing of the file unreadable"),
  verdict: own("verdict", "Decision of a user about the measurement"),
  rejectionReason: own("rejection-reason", "Reason why a user rejected the measurement"),
  undoneAt: own("undone-at", "Time at which a user undid a later decision"),
  isPhotograph: own("screen-photo", "The film was photographed on a screen and rectified"),
  programVersion: own("program-version", "Version of the measuring program"),
  notice: own("notice", "Notice"),
  modelVersion: own("model-version", "Version of the model"),
  imageHash: own("image-sha256", "SHA-256 of the file that was measured"),
  sourceImage: dcm("121322", "Source image for image processing operation"),
  dog: sct("448771007", "Canis lupus familiaris"),
  cat: sct("448169003", "Felis catus"),
  perVertebra: ["{vertebra}", "UCUM", "vertebrae"],
  unitless: ["1", "UCUM", "no units"],
  degrees: ["deg", "UCUM", "degrees"],
  pixels: ["{pixels}", "UCUM", "pixels"],
  squarePixels: ["{pixels}2", "UCUM", "square pixels"],
  millimetres: ["mm", "UCUM", "millimeter"],
  squareMillimetres: ["mm2", "UCUM", "square millimeter"],
  drawings: own("drawings", "Annotations of a user on the film"),
  spacingSource: own("spacing-source", "Plane to which millimetres of lengths apply"),
} as const satisfies Readonly<Record<string, Code>>;

/** A concept of the private scheme, for values that are enumerated elsewhere (tiers, verdicts, landmarks). */
export function ownCode(value: string, meaning: string): Code {
  return own(value, meaning);
}

export function codeSequence([value, scheme, meaning]: Code): Element {
  return sequence(codeItem([value, scheme, meaning]));
}

export function codeItem([value, scheme, meaning]: Code): DataSet {
  return { "00080100": text("SH", value), "00080102": text("SH", scheme), "00080104": text("LO", meaning) };
}
