import { create } from "zustand";

/** Whether films are magnified under the pointer or the crosshair. */
export const useMagnifier = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

/** Takes the magnifier, or puts it away. */
export function toggleMagnifier(): void {
  useMagnifier.setState(({ isOn }) => ({ isOn: !isOn }));
}
