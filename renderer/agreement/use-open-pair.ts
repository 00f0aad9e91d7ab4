import type { AgreementPair } from "../../core/contract/desktop/trends/agreement.ts";
import { useFilms } from "../state/films/films.ts";
import { useNavigation } from "../state/navigation.ts";

export function useOpenPair(): (pair: AgreementPair) => void {
  const go = useNavigation((state) => state.go);
  return ({ filmId }) => {
    if (filmId === null) return;
    useFilms.getState().open(filmId);
    go("films");
  };
}
