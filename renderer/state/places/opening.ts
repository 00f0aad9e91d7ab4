import { create } from "zustand";
import type { Opening } from "../../../core/contract/desktop/practice/opening.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";
import { openFilmOf, useFilms } from "../films/films.ts";
import { showFilm } from "../films/show-film.ts";
import { useNavigation } from "../navigation.ts";
import { usePatients } from "../patients.ts";

type OpeningState = {
  /** File offered by a link, which the user has not confirmed yet. */
  readonly offered: Extract<Opening, { kind: "file" }> | null;
  readonly load: () => Promise<void>;
  readonly answer: (isAgreed: boolean) => Promise<void>;
};

export const useOpening = create<OpeningState>((set, get) => ({
  offered: null,
  load: async () => {
    if (document.visibilityState === "hidden") return;
    try {
      const { opening } = await call("opening.claim", {});
      if (opening?.kind === "file") set({ offered: opening });
      else if (opening !== null) await show(opening);
    } catch (error) {
      showFault(error);
    }
  },
  answer: async (isAgreed) => {
    const { offered } = get();
    set({ offered: null });
    if (!isAgreed || offered === null) return;
    const { filmId } = await call("opening.import", { openingId: offered.openingId });
    if (filmId !== null) showFilm(filmId);
  },
}));

async function show(opening: Exclude<Opening, { kind: "file" }>): Promise<void> {
  switch (opening.kind) {
    case "film":
      return showFilm(opening.filmId);
    case "patient": {
      const patient = await call("patients.get", { patientId: opening.patientId });
      return showPatients(() => usePatients.getState().choose(patient));
    }
    case "patients":
      return showPatients(() => searchPatients(opening.search));
  }
}

/** Shows the trends. The open film's patient counts as followed, so that the requested patient stays selected. */
function showPatients(choose: () => void): void {
  useNavigation.getState().leave(() => {
    const films = useFilms.getState();
    if (films.openId !== null) usePatients.getState().followFilm(films.openId, openFilmOf(films)?.patient?.id ?? null);
    choose();
    useNavigation.getState().go("trends");
  });
}

function searchPatients(search: string): void {
  usePatients.getState().load(search).catch(showFault);
}
