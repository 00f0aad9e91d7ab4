import { useEffect } from "react";
import { attempt } from "../state/faults.ts";
import { useOpening } from "../state/places/opening.ts";
import { Question } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";

/** Asks before a link opens a film. Loads pending requests again whenever the page becomes visible. */
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
