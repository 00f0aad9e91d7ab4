import { useOpenFilm } from "../../state/films/films.ts";
import { useNavigation } from "../../state/navigation.ts";
import { usePatients } from "../../state/patients.ts";
import { useTrends } from "../../trends/trends-slice.ts";
import { useCommands } from "../../ui/keys/shortcuts.ts";

/** The command that opens the film of the visit before next to the open film; absent on a first visit. */
export function useCompareBefore(): void {
  const film = useOpenFilm();
  const { screen, leave, go } = useNavigation();
  const { patient, vhsChange, id } = film ?? {};
  const compare =
    screen === "films" && patient && vhsChange && id !== undefined
      ? () =>
          leave(() => {
            usePatients.getState().choose(patient);
            useTrends.getState().compareFilms(patient.id, [vhsChange.filmId, id]);
            go("trends");
          })
      : null;
  useCommands(compare ? { "compare.before": compare } : {});
}
