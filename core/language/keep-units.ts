const unit = /(?<=\d) (?=(?:v|mm²?|px|kg|kB|MB|GB|ms|s|g\/dL|mg\/dL|[µm]mol\/L|\/µL|[%°])(?![\p{L}\d]))/gu;

/** A text whose numbers stay with their units where a line ends: the space between them is one that does not break. */
export function keepUnits(text: string): string {
  return text.replace(unit, "\u00a0");
}
