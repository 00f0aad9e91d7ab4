import { create } from "zustand";
import type { Opening } from "../../../core/contract/desktop/practice/opening.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";
import { useFilms } from "../films/films.ts";
import { useNavigation } from "../navigation.ts";
import { usePatients } from "../patients.ts";

type OpeningState = {
  /** The file of a link that nobody has agreed to yet. */
  readonly offered: Extract<Opening, { kind: "file" }> | null;
  /** Shows what another program asked for, if this page is the one that is looked at. */
  readonly load: () => Promise<void>;
  readonly answer: (isAgreed: boolean) => Promise<void>;
};

/** What other programs ask to see: a patient, a film, or a file that a person has to agree to. */
export const useOpening = create<OpeningState>((set, get) => ({
  offered: null,
  load: async () => {
    if (document.visibilityState === "hidden") return;
    try {
      const { opening } = await call("opening.take", {});
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

function showFilm(filmId: string): void {
  useNavigation.getState().leave(() => {
    useNavigation.getState().go("films");
    useFilms.getState().open(filmId);
  });
}

/** The patient whose film is open has been seen; whoever was asked for stays chosen. */
function showPatients(choose: () => void): void {
  useNavigation.getState().leave(() => {
    const { openId } = useFilms.getState();
    if (openId !== null) usePatients.getState().followFilm(openId);
    choose();
    useNavigation.getState().go("trends");
  });
}

function searchPatients(search: string): void {
  usePatients.getState().load(search).catch(showFault);
}
