import { call } from "../connection.ts";
import { useNavigation } from "../navigation.ts";
import { usePatients } from "../patients.ts";
import { useFilms } from "./films.ts";

/** Opens no film if one of this patient is open, or if the user has left Trends or selected another patient. */
export async function openNewestFilm(patientId: string): Promise<void> {
  const { films } = await call("films.list", { patientId, order: "takenNewest", limit: 1 });
  const { opened, openId, hidden, open } = useFilms.getState();
  const isTheirs = opened !== null && opened.id === openId && opened.patient?.id === patientId;
  const [newest] = films.filter(({ id }) => !hidden.has(id));
  const isChosen = usePatients.getState().chosen?.id === patientId;
  const { screen, leave } = useNavigation.getState();
  if (isChosen && screen === "trends" && newest && !isTheirs) leave(() => open(newest.id));
}
