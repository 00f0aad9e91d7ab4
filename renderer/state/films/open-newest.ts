import { call } from "../connection.ts";
import { newestQuestion } from "../newest-question.ts";
import { useFilms } from "./films.ts";

const begin = newestQuestion();

/** Opens a patient's newest film, unless one of theirs is open already or there is none. */
export async function openNewestOf(patientId: string): Promise<void> {
  const isNewest = begin();
  const { films } = await call("films.list", { patientId, order: "takenNewest", limit: 1 });
  const { opened, openId, open } = useFilms.getState();
  const isTheirs = opened !== null && opened.id === openId && opened.patient?.id === patientId;
  if (isNewest() && films[0] && !isTheirs) open(films[0].id);
}
