const unit = /(?<=\d) (?=(?:v|mm²?|px|kg|kB|MB|GB|ms|s|g\/dL|mg\/dL|[µm]mol\/L|\/µL|SD|ET|[%°])(?![\p{L}\d]))/gu;

/** Puts a no-break space between numbers and their units, so that no line break separates them. */
export function keepUnits(text: string): string {
  return text.replace(unit, "\u00a0");
}
