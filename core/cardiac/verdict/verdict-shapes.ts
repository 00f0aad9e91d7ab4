import type { VerdictGrade } from "./film-verdict.ts";

/** SVG path of each grade's mark, 16 x 16: distinguishable without colour, used on the page and on paper. */
export const verdictShapes: Readonly<Record<VerdictGrade, string>> = {
  reliable: "M8 2a6 6 0 1 0 .01 0z",
  usable: "M8 1.500L14.500 8 8 14.500 1.500 8z",
  check: "M8 2L15 14H1z",
  unusable: "M3 3l10 10M13 3L3 13",
  placed: "M3 3h10v10H3z",
  rejected: "M2 6.500h12v3H2z",
};
