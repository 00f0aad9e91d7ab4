import { create } from "zustand";

/** Whether films are magnified under the pointer or the crosshair. */
export const useMagnifier = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

export function toggleMagnifier(): void {
  useMagnifier.setState(({ isOn }) => ({ isOn: !isOn }));
}
