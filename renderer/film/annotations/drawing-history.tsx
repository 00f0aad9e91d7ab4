import { isSameCrop, type Picture } from "../../../core/cardiac/picture-of-points.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { shownDrawings } from "../../state/drawing/drawn-on.ts";
import { IconButton } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { Menu } from "../../ui/menu.tsx";

/** Number of versions shown; all are stored. */
const shownVersions = 12;

type HistoryProps = { readonly filmId: string; readonly picture: Picture; readonly isLocked: boolean };

/** Choosing a version restores it as a new one, unless it was drawn on a picture other than the one shown. */
export function DrawingHistory({ filmId, picture, isLocked }: HistoryProps) {
  const text = useText();
  const format = useFormat();
  const known = useAnnotations((state) => state.films[filmId]);
  const { restore } = useAnnotations.getState();
  const versions = known?.versions.slice(-shownVersions).toReversed() ?? [];
  const drawn = shownDrawings(known?.stack.present ?? null, { picture });
  return (
    <Menu
      align="start"
      entries={[
        ...versions.map(({ version, who, at, set }) => ({
          label: text("annotations.version", {
            version,
            who: who ?? text("annotations.nobody"),
            at: format.minute(at),
          }),
          isChosen: version === versions[0]?.version,
          isDisabled: !isSameCrop(set.corners, picture.corners),
          onChoose: () => restore(filmId, set),
        })),
        ...(drawn && drawn.annotations.length > 0
          ? ([
              "line",
              {
                label: text("annotations.removeAll"),
                onChoose: () => restore(filmId, { ...drawn, annotations: [] }),
              },
            ] as const)
          : []),
      ]}
    >
      <IconButton icon="more" label={text("annotations.history")} disabled={isLocked || versions.length === 0} />
    </Menu>
  );
}
