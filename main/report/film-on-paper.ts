export const filmWidthPt = 340;
/** Limits of the film's height, which fills the remaining space [pt]. */
export const filmHeight = { leastPt: 230, mostPt: 330 } as const;

/** Sizes of the marks on the film, legible at the film's smallest printed size. */
export const filmOnPaper = {
  letterPt: 7,
  linePt: 1,
  /** Film pixels per point on paper at the smallest printed size. */
  unitPx: ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }) =>
    Math.max(widthPx / filmWidthPt, heightPx / filmHeight.leastPt),
} as const;
