export type StatedView = {
  readonly isRadiograph: boolean;
  readonly species: "dog" | "cat" | "other" | null;
  readonly viewPosition: string | null;
  readonly bodyPart: string | null;
};

export type ReasonToLeaveAlone = "not_a_radiograph" | "species" | "view" | "body_part";

const otherViewCode = /^(AP|PA|DV|VD|CC|CRCD|CDCR|DP|PD|PL|DPL|ML|LM|MLO|LMO|RLO|LLO|RAO|LAO|RPO|LPO)$/;
const otherViewWord = /DORSO|VENTRO|CRANIO|CAUDO|ROSTRO|MEDIO|OBL|SKYLINE|AXIAL/;

const otherBodyPart =
  /ABDOM|PELVI|HIP|SKULL|HEAD|NECK|TEETH|TOOTH|DENT|JAW|MANDIB|MAXIL|SHOULDER|ELBOW|CARPUS|WRIST|HAND|HUMER|RADIUS|ULNA|FEMUR|KNEE|STIFLE|TIBIA|TARS|ANKLE|HOCK|FOOT|PAW|LEG|LIMB|EXTREMIT|TAIL|SPINE|LUMBAR|CERVICAL/;

const chest = /CHEST|THORA|LUNG|HEART|CARDI|RIB|BODY/;

/**
 * Reason not to measure a film. null for a lateral chest film of a dog or cat, and for a file that states nothing to
 * the contrary, which the gate decides.
 *
 * @see DICOM PS3.3 C.8.7.1.1 (View Position), PS3.16 CID 4 and 7484 (veterinary views)
 */
export function reasonToLeaveAlone({
  isRadiograph,
  species,
  viewPosition,
  bodyPart,
}: StatedView): ReasonToLeaveAlone | null {
  if (!isRadiograph) return "not_a_radiograph";
  if (species === "other") return "species";
  if (viewPosition !== null && isOtherView(viewPosition.toUpperCase())) return "view";
  const part = bodyPart?.toUpperCase() ?? "";
  return otherBodyPart.test(part) && !chest.test(part) ? "body_part" : null;
}

/** Recognises `VD` also as `V/D`, `V-D` or `V.D.`, and among other words: `THORAX VD`. */
function isOtherView(view: string): boolean {
  const codes = view.replaceAll(/(?<=\b[A-Z])[/.-](?=[A-Z]\b)/g, "").split(/[^A-Z]+/);
  return otherViewWord.test(view) || codes.some((code) => otherViewCode.test(code));
}
