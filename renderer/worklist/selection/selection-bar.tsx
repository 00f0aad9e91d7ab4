import { useAnonymous } from "../../state/anonymous.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { useSelection } from "../../state/films/selection.ts";
import { inParts } from "./in-parts.ts";

export function SelectionBar({
  filmIds,
  onAssign,
  onRemove,
}: {
  readonly filmIds: readonly string[];
  readonly onAssign: () => void;
  readonly onRemove: (() => void) | null;
}) {
  const text = useText();
  const isNone = filmIds.length === 0;
  const retry = () =>
    attempt(async () => {
      for (const part of inParts(filmIds)) await call("films.retry", { filmIds: part });
    });
  return (
    <div className="selection-bar">
      <div className="row spread">
        <strong role="status">{text("films.selected", { count: filmIds.length })}</strong>
        <Button tone="plain" onClick={() => useSelection.getState().endPicking()}>
          {text("films.selectEnd")}
        </Button>
      </div>
      <div className="row">
        <KeyedButton command="films.patient" disabled={isNone} onClick={onAssign} />
        <Button disabled={isNone} onClick={retry}>
          {text("films.measureAgain")}
        </Button>
        <Button disabled={isNone} onClick={() => useAnonymous.getState().ask(filmIds)}>
          {text("common.opensDialog", { label: text("deidentify.title") })}
        </Button>
        {onRemove && <KeyedButton command="films.remove" disabled={isNone} onClick={onRemove} />}
      </div>
    </div>
  );
}
