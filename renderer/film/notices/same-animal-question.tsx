import type { Film } from "../../../core/contract/desktop/films.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useReaderMode } from "../../state/films/reader-mode.ts";
import { useMay } from "../../state/people.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/empty.tsx";
import { runCommand } from "../../ui/keys/shortcuts.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** Asks whether two films of one patient and day show one animal if their hearts are far apart; not in reader mode. */
export function SameAnimalQuestion({ film: { id, otherAnimal, reading } }: { readonly film: Film }) {
  const text = useText();
  const format = useFormat();
  const mayPrepare = useMay("prepare");
  const isReaderMode = useReaderMode(({ isOn }) => isOn);
  if (!otherAnimal || isReaderMode) return null;
  const { filmId: otherId, takenAt, vhs } = otherAnimal;
  const values = { vhs: format.score(reading?.vhs), other: format.score(vhs), minute: format.minute(takenAt) };
  return (
    <Notice tone="review">
      <p>
        <strong>{text("sameAnimal.ask")}</strong> {text("sameAnimal.why", values)}
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
