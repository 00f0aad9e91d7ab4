export const filmWidthPt = 340;
/** Range of the film's height, which uses the remaining space [pt]. */
export const filmHeight = { leastPt: 230, mostPt: 330 } as const;

/** How the marks on the film are drawn, so that they are legible however small the film is printed. */
export const filmOnPaper = {
  letterPt: 7,
  linePt: 1,
  /** Pixels of a film to a point of the paper, where it has the least room. */
  unitPx: ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }) =>
    Math.max(widthPx / filmWidthPt, heightPx / filmHeight.leastPt),
} as const;
