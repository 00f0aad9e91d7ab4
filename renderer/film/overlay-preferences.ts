import { useMemo } from "react";
import { preferenceOf, usePreferences } from "../state/preferences.ts";

const usualParts = {
  isShown: true,
  hasLabels: true,
  hasVotes: false,
  hasOutline: true,
  hasOriginal: false,
  hasScaleBar: true,
  hasForeignMarks: true,
};
type OverlayPart = keyof typeof usualParts;
export type Overlay = Readonly<Record<OverlayPart, boolean>> & { readonly opacity: number };

/** Minimum opacity, and the step of the opacity keys. */
export const opacitySteps = { least: 0.2, step: 0.1 } as const;

const limited = (opacity: number) => Math.min(1, Math.max(opacitySteps.least, opacity));

function overlayOf(values: ReturnType<typeof usePreferences.getState>["values"]): Overlay {
  const parts = Object.entries(usualParts).map(([part, isOn]) => [part, preferenceOf(values, `overlay.${part}`, isOn)]);
  return { ...usualParts, ...Object.fromEntries(parts), opacity: limited(preferenceOf(values, "overlay.opacity", 1)) };
}

export function useOverlay(): Overlay {
  const values = usePreferences((state) => state.values);
  return useMemo(() => overlayOf(values), [values]);
}

export function togglePart(part: OverlayPart): void {
  const { values, change } = usePreferences.getState();
  change({ [`overlay.${part}`]: !overlayOf(values)[part] });
}

export function setOpacity(opacity: number): void {
  usePreferences.getState().change({ "overlay.opacity": limited(opacity) });
}

export function stepOpacity(direction: -1 | 1): void {
  const { opacity } = overlayOf(usePreferences.getState().values);
  setOpacity(Math.round((opacity + direction * opacitySteps.step) * 10) / 10);
}
