import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { Question } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";

/** Maximum number of films in one de-identified export, since the user checks each film. */
const filmsAtMost = 1000;

export function NamesQuestion() {
  const text = useText();
  const { choice, settle, ask } = useAnonymous();
  const withNames = () => {
    settle();
    choice?.withNames();
  };
  const withoutNames = () => {
    settle();
    if (choice) attempt(async () => askFor(await filmsOf(choice.films)));
  };
  const askFor = (filmIds: readonly string[]) => {
    if (filmIds.length > 0) ask(filmIds);
    else showToast("note", text("deidentify.nothing"));
  };
  return (
    <Question
      isOpen={choice !== null}
      title={text("deidentify.choiceTitle")}
      description={text("deidentify.choiceText")}
      confirm={text("deidentify.withNames")}
      onConfirm={withNames}
      onCancel={settle}
      other={{ label: text("common.opensDialog", { label: text("deidentify.withoutNames") }), onChoose: withoutNames }}
    />
  );
}

async function filmsOf(filter: { readonly patientId?: string; readonly standing?: "decided" }): Promise<string[]> {
  const { films } = await call("films.list", { search: "", ...filter, limit: filmsAtMost });
  return films.filter(({ hasImage }) => hasImage).map(({ id }) => id);
}
