import { create } from "zustand";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { hasUnsavedFindings, useWrittenFindings } from "../../state/films/written-findings.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useTypedInput } from "../../ui/fields/typed-input.ts";
import { hasWaitingCorrection, useCorrection } from "../../viewer/correction/correction-slice.ts";

type UnsavedState = {
  readonly isDiscarded: boolean;
  readonly discard: () => void;
};

export const useUnsaved = create<UnsavedState>((set) => ({
  isDiscarded: false,
  discard: () => set({ isDiscarded: true }),
}));

/** Whether closing or reloading the page would lose moved points, findings, annotations or typed input of any user. */
export function hasUnsavedInput(): boolean {
  if (useUnsaved.getState().isDiscarded) return false;
  return (
    useNavigation.getState().guard !== null ||
    hasUnsavedFindings() ||
    hasWaitingCorrection() ||
    useAnnotations.getState().behind().length > 0 ||
    useTypedInput.getState().forms.size > 0
  );
}

/** Calls the listener whenever `hasUnsavedInput` may have changed. @returns function that unsubscribes */
export function watchUnsaved(listener: () => void): () => void {
  const stores = [useUnsaved, useNavigation, useWrittenFindings, useCorrection, useAnnotations, useTypedInput];
  const ends = stores.map((store) => store.subscribe(listener));
  return () => {
    for (const end of ends) end();
  };
}
