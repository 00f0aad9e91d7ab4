import { useState } from "react";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Notice } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { BlankedPicture, type Area } from "./blanked-picture.tsx";

type Props = {
  readonly filmId: string;
  /** Areas from an earlier check; null if the film has not been checked. */
  readonly before: readonly Area[] | null;
  readonly onCheck: (areas: readonly Area[]) => void;
  readonly onUncheck: () => void;
};

export function CheckedFilm({ filmId, before, onCheck, onUncheck }: Props) {
  const text = useText();
  const query = useChannel("deidentify.look", { filmId });
  const [drawn, setDrawn] = useState<readonly Area[] | null>(before);
  const change = (next: readonly Area[]) => {
    setDrawn(next);
    onUncheck();
  };
  return (
    <div className="stack">
      <Loaded query={query} waiting={text("deidentify.looking")}>
        {({ said, suspected, picture }) => {
          const areas = drawn ?? suspected;
          const { length } = suspected;
          return (
            <>
              {said === "yes" && <Notice tone="fault">{text("deidentify.saidYes")}</Notice>}
              <p className="quiet fine">
                {length === 0 ? text("deidentify.noneFound") : text("deidentify.found", { count: length })}{" "}
                {text("deidentify.draw")}
              </p>
              <BlankedPicture url={picture.url} areas={areas} onChange={change} />
              <div className="row">
                <Button tone={before ? "plain" : "primary"} icon="check" onClick={() => onCheck(areas)}>
                  {text("deidentify.checked")}
                </Button>
                <Button disabled={areas.length === 0} onClick={() => change([])}>
                  {text("deidentify.clear")}
                </Button>
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
