import { create } from "zustand";

export const useMagnifier = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

export function toggleMagnifier(): void {
  useMagnifier.setState(({ isOn }) => ({ isOn: !isOn }));
}
