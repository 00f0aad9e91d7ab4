import type { Film } from "../../../core/contract/desktop/films.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useReaderMode } from "../../state/films/reader-mode.ts";
import { usePermission } from "../../state/people.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/empty.tsx";
import { runCommand } from "../../ui/keys/shortcuts.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

export function SameAnimalQuestion({ film: { id, otherAnimal } }: { readonly film: Film }) {
  const text = useText();
  const format = useFormat();
  const mayPrepare = usePermission("prepare");
  const isReaderMode = useReaderMode(({ isOn }) => isOn);
  if (!otherAnimal || isReaderMode) return null;
  const { filmId: otherId, takenAt, trait, here, there } = otherAnimal;
  const minute = format.minute(takenAt);
  const why =
    trait === "direction"
      ? text("sameAnimal.direction", { degrees: Math.abs(Math.round(here) - Math.round(there)), minute })
      : text(`sameAnimal.${trait}`, { here: format.score(here), there: format.score(there), minute });
  return (
    <Notice tone="review">
      <p>
        <strong>{text("sameAnimal.ask")}</strong> {why}
      </p>
      {mayPrepare && (
        <div className="row">
          <Button onClick={() => attempt(() => call("films.confirmSameAnimal", { filmId: id, otherId }))}>
            {text("sameAnimal.same")}
          </Button>
          <Button onClick={() => runCommand("films.patient")}>{text("sameAnimal.assign")}</Button>
        </div>
      )}
    </Notice>
  );
}
