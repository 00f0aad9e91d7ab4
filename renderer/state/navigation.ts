import { create } from "zustand";
import { blurField } from "../ui/fields/blur-field.ts";

export const screens = ["films", "trends", "usg", "capture", "agreement", "ledger", "settings"] as const;
export type Screen = (typeof screens)[number];

type Guard = {
  /** Saves, prompting for missing input, then continues. */
  readonly save: (then: () => void) => Promise<void>;
  readonly discard: () => void;
};

type NavigationState = {
  readonly screen: Screen;
  readonly guard: Guard | null;
  /** Action that waits for the answer to the question about unsaved changes. */
  readonly pending: (() => void) | null;
  readonly setGuard: (guard: Guard | null) => void;
  /** Runs the action at once, or asks first if there are unsaved changes. */
  readonly leave: (then: () => void) => void;
  readonly go: (screen: Screen) => void;
  readonly answer: (choice: "save" | "discard" | "stay") => Promise<void>;
};

export const useNavigation = create<NavigationState>((set, get) => ({
  screen: "films",
  guard: null,
  pending: null,
  setGuard: (guard) => {
    // Every opened film sets null, which should not notify the subscribers.
    if (guard !== get().guard) set({ guard });
  },
  leave: (then) => (get().guard ? set({ pending: then }) : then()),
  go: (screen) =>
    get().leave(() => {
      blurField();
      set({ screen });
    }),
  answer: async (choice) => {
    const { guard, pending } = get();
    set({ pending: null });
    if (choice === "stay") return;
    if (choice === "save" && guard) return guard.save(() => pending?.());
    guard?.discard();
    set({ guard: null });
    pending?.();
  },
}));
