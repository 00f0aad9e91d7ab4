import { useEffect } from "react";
import { attempt } from "../state/faults.ts";
import { useOpening } from "../state/places/opening.ts";
import { Question } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";

/** Confirms before a link opens a film; a page that becomes visible checks for pending links. */
export function OpeningQuestion() {
  const text = useText();
  const { offered, answer, load } = useOpening();
  useEffect(() => {
    const look = () => void load();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [load]);
  return (
    <Question
      isOpen={offered !== null}
      title={text("opening.title")}
      description={text("opening.text", { name: offered?.fileName ?? "", folder: offered?.folder ?? "" })}
      confirm={text("opening.confirm")}
      onConfirm={() => attempt(() => answer(true))}
      onCancel={() => attempt(() => answer(false))}
    />
  );
}
