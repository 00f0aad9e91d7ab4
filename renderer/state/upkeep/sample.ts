import { create } from "zustand";
import { useLanguage } from "../../ui/language/language.ts";
import { call } from "../connection.ts";
import { useFilms } from "../films/films.ts";
import { useNavigation } from "../navigation.ts";

type SampleState = {
  /** null until the program has said so. */
  readonly isLoaded: boolean | null;
  readonly ask: () => Promise<void>;
  /** Puts the simulated films on the worklist and opens the newest one. */
  readonly load: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Whether the sample study is on the worklist. */
export const useSample = create<SampleState>((set) => ({
  isLoaded: null,
  ask: async () => set(await call("sample.get", {})),
  load: async () => {
    const { films } = await call("sample.load", { language: useLanguage.getState().language });
    set({ isLoaded: true });
    await useFilms.getState().load();
    const newest = films.at(-1);
    if (!newest) return;
    const { leave, go } = useNavigation.getState();
    leave(() => {
      useFilms.getState().open(newest.id);
      go("films");
    });
  },
  remove: async () => {
    await call("sample.remove", {});
    set({ isLoaded: false });
  },
}));
