import { call } from "../connection.ts";
import { useNavigation } from "../navigation.ts";
import { newestQuestion } from "../newest-question.ts";
import { useFilms } from "./films.ts";

const begin = newestQuestion();

/**
 * Opens the newest film of a patient who was chosen under Trends, unless one of theirs is open already or there is
 * none. Whoever is back at the films by the time of the answer works on the one that is open.
 */
export async function openNewestOf(patientId: string): Promise<void> {
  const isNewest = begin();
  const { films } = await call("films.list", { patientId, order: "takenNewest", limit: 1 });
  const { opened, openId, hidden, open } = useFilms.getState();
  const isTheirs = opened !== null && opened.id === openId && opened.patient?.id === patientId;
  const [newest] = films.filter(({ id }) => !hidden.has(id));
  const { screen, leave } = useNavigation.getState();
  if (isNewest() && screen === "trends" && newest && !isTheirs) leave(() => open(newest.id));
}
