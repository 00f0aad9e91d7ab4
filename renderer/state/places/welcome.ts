import { create } from "zustand";

/** Steps of the first run, in their order. */
export const welcomeSteps = ["language", "practice", "data", "people", "devices", "sample"] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

type WelcomeState = {
  /** null while it is closed. */
  readonly step: WelcomeStep | null;
  readonly setStep: (step: WelcomeStep | null) => void;
};

/** Step of the first run, which the settings can restart. */
export const useWelcome = create<WelcomeState>((set) => ({ step: null, setStep: (step) => set({ step }) }));
