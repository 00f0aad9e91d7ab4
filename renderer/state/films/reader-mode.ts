import { create } from "zustand";
import type { Film } from "../../../core/contract/desktop/films.ts";

/** Whether the networks' results are hidden until the user has measured a film. */
export const useReaderMode = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

export function isHiddenFrom({ isOn }: { readonly isOn: boolean }, film: Pick<Film, "reading"> | null): boolean {
  return isOn && film?.reading?.source === "model";
}

export function useIsHidden(film: Pick<Film, "reading"> | null): boolean {
  return useReaderMode((state) => isHiddenFrom(state, film));
}
