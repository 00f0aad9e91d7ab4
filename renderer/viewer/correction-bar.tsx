import { vertebraName } from "../../core/cardiac/ruler/vertebra-name.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useText } from "../ui/language.ts";
import { viewerMessages } from "../ui/messages/viewer.ts";
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
    <div className="correction-bar" role="toolbar" aria-label={text(viewerMessages.correcting)}>
      <strong>{text(mode === "by_hand" ? viewerMessages.byHand : viewerMessages.correcting)}</strong>
      {mode === "by_hand" ? <NextPoint /> : <span className="quiet hint">{text(viewerMessages.correctingHint)}</span>}
      <span className="spring" />
      <IconButton
        icon="undo"
        label={text(viewerMessages.undo)}
        keys={undoKeys}
        disabled={stack.past.length === 0}
        onClick={undo}
      />
      <IconButton
        icon="redo"
        label={text(viewerMessages.redo)}
        keys={redoKeys}
        disabled={stack.future.length === 0}
        onClick={redo}
      />
      <IconButton
        icon="left"
        label={text(viewerMessages.shiftCranial)}
        keys={cranialKeys}
        disabled={stack.present.edges.length < 3}
        onClick={() => shift("cranial")}
      />
      <IconButton
        icon="right"
        label={text(viewerMessages.shiftCaudal)}
        keys={caudalKeys}
        disabled={stack.present.edges.length < 4}
        onClick={() => shift("caudal")}
      />
      <IconButton icon="retry" label={text(viewerMessages.reset)} disabled={stack.past.length === 0} onClick={reset} />
      <Button tone="plain" onClick={() => runCommand("correct.leave")}>
        {text(viewerMessages.leaveCorrection)}
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
        {text(isMeasured ? viewerMessages.placeEdgeOr : viewerMessages.placeEdge, { name: vertebraName(next) })}
      </span>
    );
  }
  return (
    <>
      <span className="next-point" role="status">
        {text(viewerMessages.place, { point: text(viewerMessages[`point_${next}`]) })}
      </span>
      {next === "VLAS" && (
        <Button tone="plain" onClick={skip}>
          {text(viewerMessages.placeSkip)}
        </Button>
      )}
    </>
  );
}
