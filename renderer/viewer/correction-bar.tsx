import { vertebraName } from "../../core/cardiac/ruler/vertebra-name.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useText } from "../ui/language.ts";
import { runCommand, useCommands, useKeys } from "../ui/shortcuts.ts";
import { useNavigation } from "../state/navigation.ts";
import { useCorrection } from "./correction-slice.ts";
import { nextToPlace, scoreOfDraft } from "../film/draft.ts";

/** What can be done during a correction, and what to do next when measuring by hand. */
export function CorrectionBar() {
  const text = useText();
  const { mode, stack, undo, redo, shift, reset, leave } = useCorrection();
  const undoKeys = useKeys("correct.undo");
  const redoKeys = useKeys("correct.redo");
  const cranialKeys = useKeys("correct.shiftCranial");
  const caudalKeys = useKeys("correct.shiftCaudal");
  const ask = useNavigation((state) => state.leave);
  const isWorking = mode !== "none";
  useCommands(
    isWorking
      ? {
          "correct.undo": undo,
          "correct.redo": redo,
          "correct.shiftCranial": () => shift("cranial"),
          "correct.shiftCaudal": () => shift("caudal"),
          "correct.leave": () => ask(leave),
        }
      : {},
  );
  if (!isWorking) return null;
  return (
    <div className="correction-bar" role="toolbar" aria-label={text("viewer.correcting")}>
      <strong>{text(mode === "by_hand" ? "viewer.byHand" : "viewer.correcting")}</strong>
      {mode === "by_hand" ? <NextPoint /> : <span className="quiet hint">{text("viewer.correctingHint")}</span>}
      <span className="spring" />
      <IconButton
        icon="undo"
        label={text("viewer.undo")}
        keys={undoKeys}
        disabled={stack.past.length === 0}
        onClick={undo}
      />
      <IconButton
        icon="redo"
        label={text("viewer.redo")}
        keys={redoKeys}
        disabled={stack.future.length === 0}
        onClick={redo}
      />
      <IconButton
        icon="left"
        label={text("viewer.shiftCranial")}
        keys={cranialKeys}
        disabled={stack.present.edges.length < 3}
        onClick={() => shift("cranial")}
      />
      <IconButton
        icon="right"
        label={text("viewer.shiftCaudal")}
        keys={caudalKeys}
        disabled={stack.present.edges.length < 4}
        onClick={() => shift("caudal")}
      />
      <IconButton icon="retry" label={text("viewer.reset")} disabled={stack.past.length === 0} onClick={reset} />
      <Button tone="plain" onClick={() => runCommand("correct.leave")}>
        {text("viewer.leaveCorrection")}
      </Button>
    </div>
  );
}

function NextPoint() {
  const text = useText();
  const { stack, skipped, skip } = useCorrection();
  const next = nextToPlace(stack.present, skipped);
  const isMeasured = scoreOfDraft(stack.present) !== null;
  if (next === null) return null;
  if (typeof next === "number") {
    return (
      <span className="next-point" role="status">
        {text(isMeasured ? "viewer.placeEdgeOr" : "viewer.placeEdge", { name: vertebraName(next) })}
      </span>
    );
  }
  return (
    <>
      <span className="next-point" role="status">
        {text("viewer.place", { point: text(`viewer.point_${next}`) })}
      </span>
      {next === "VLAS" && (
        <Button tone="plain" onClick={skip}>
          {text("viewer.placeSkip")}
        </Button>
      )}
    </>
  );
}
