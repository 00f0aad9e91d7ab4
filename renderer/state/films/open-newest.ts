import { call } from "../connection.ts";
import { newestQuestion } from "../newest-question.ts";
import { useFilms } from "./films.ts";

const begin = newestQuestion();

/** Opens a patient's newest film, unless one of theirs is open already or there is none. */
export async function openNewestOf(patientId: string): Promise<void> {
  const isNewest = begin();
  const { films } = await call("films.list", { patientId, order: "takenNewest", limit: 1 });
  const { opened, openId, hidden, open } = useFilms.getState();
  const isTheirs = opened !== null && opened.id === openId && opened.patient?.id === patientId;
  const [newest] = films.filter(({ id }) => !hidden.has(id));
  if (isNewest() && newest && !isTheirs) open(newest.id);
}
