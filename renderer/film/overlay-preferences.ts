import { useMemo } from "react";
import { preferenceOf, usePreferences } from "../state/preferences.ts";

export type Overlay = {
  readonly isShown: boolean;
  readonly hasLabels: boolean;
  readonly hasVotes: boolean;
  readonly hasOutline: boolean;
  readonly hasOriginal: boolean;
  readonly hasScaleBar: boolean;
  readonly hasForeignMarks: boolean;
  /** 0.2–1 */
  readonly opacity: number;
};

/** Minimum opacity, and the step of the opacity keys. */
export const opacitySteps = { least: 0.2, step: 0.1 } as const;

function overlayOf(values: ReturnType<typeof usePreferences.getState>["values"]): Overlay {
  return {
    isShown: preferenceOf(values, "overlay.isShown", true),
    hasLabels: preferenceOf(values, "overlay.hasLabels", true),
    hasVotes: preferenceOf(values, "overlay.hasVotes", false),
    hasOutline: preferenceOf(values, "overlay.hasOutline", true),
    hasOriginal: preferenceOf(values, "overlay.hasOriginal", false),
    hasScaleBar: preferenceOf(values, "overlay.hasScaleBar", true),
    hasForeignMarks: preferenceOf(values, "overlay.hasForeignMarks", true),
    opacity: Math.min(1, Math.max(opacitySteps.least, preferenceOf(values, "overlay.opacity", 1))),
  };
}

export function useOverlay(): Overlay {
  const values = usePreferences((state) => state.values);
  return useMemo(() => overlayOf(values), [values]);
}

export function changeOverlay(change: (overlay: Overlay) => Partial<Overlay>): void {
  const { values, change: changeValues } = usePreferences.getState();
  const changed = Object.entries(change(overlayOf(values))).map(([name, value]) => [`overlay.${name}`, value] as const);
  changeValues(Object.fromEntries(changed));
}

export function stepOpacity(direction: -1 | 1): void {
  changeOverlay(({ opacity }) => ({
    opacity: Math.min(1, Math.max(opacitySteps.least, Math.round((opacity + direction * opacitySteps.step) * 10) / 10)),
  }));
}
