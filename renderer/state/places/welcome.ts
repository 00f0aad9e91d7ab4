import { create } from "zustand";

/** Steps of the first run, in their order. */
export const welcomeSteps = ["language", "practice", "data", "people", "devices", "sample"] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

type WelcomeState = {
  /** null while it is closed. */
  readonly step: WelcomeStep | null;
  readonly setStep: (step: WelcomeStep | null) => void;
};

/** Where somebody is in the first run; the settings begin it again. */
export const useWelcome = create<WelcomeState>((set) => ({ step: null, setStep: (step) => set({ step }) }));
