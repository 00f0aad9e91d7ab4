import { create } from "zustand";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { TrendPoint } from "../../../core/contract/desktop/patients.ts";

/** Whether the networks' results are hidden until the user has measured a film. */
export const useReaderMode = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

/** Whether the result of a film is hidden: in reader mode, until a user's reading counts. */
export function isHiddenFrom({ isOn }: { readonly isOn: boolean }, film: Pick<Film, "reading"> | null): boolean {
  return isOn && film?.reading?.source === "model";
}

/** Points of a trend whose values may be shown: in reader mode those that a user has measured or decided. */
export function shownPoints(
  points: readonly TrendPoint[],
  { isOn }: { readonly isOn: boolean },
): readonly TrendPoint[] {
  return isOn ? points.filter(({ source }) => source === "person") : points;
}

/** The same as `isHiddenFrom` for a component. */
export function useIsHidden(film: Pick<Film, "reading"> | null): boolean {
  return useReaderMode((state) => isHiddenFrom(state, film));
}
