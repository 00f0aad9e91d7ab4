import { measures, type KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { CommandTool } from "../../ui/keys/command-tool.tsx";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { Keys } from "../../ui/keys/keys.tsx";
import { runCommand, useCommands, useKeys } from "../../ui/keys/shortcuts.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useCorrection } from "./correction-slice.ts";
import { isChanged } from "./correction-state.ts";
import { heartOf, nextToPlace, pointOf, scoreOfDraft, undrawnMeasure } from "../../film/draft/draft.ts";

export function CorrectionBar() {
  const text = useText();
  const { mode, stack, start, undo, redo, shift, reset, leave, restore, selected, proposal } = useCorrection();
  const canRestore = selected !== null && proposal !== null;
  const ask = useNavigation((state) => state.leave);
  const isWorking = mode !== "none";
  useCommands(
    isWorking
      ? {
          "correct.undo": undo,
          "correct.redo": redo,
          "correct.shiftCranial": () => shift("cranial"),
          "correct.shiftCaudal": () => shift("caudal"),
          ...(canRestore && { "correct.restorePoint": restore }),
          "correct.leave": () => ask(leave),
        }
      : {},
  );
  if (!isWorking) return null;
  return (
    <div className="correction-bar" role="toolbar" aria-label={text("shortcuts.group_correct")}>
      <strong>{text(mode === "by_hand" ? "viewer.byHand" : "shortcuts.group_correct")}</strong>
      <div className="next-step">
        <NextStep />
      </div>
      {measures.map(
        (measure) => measure.placedBy === "person" && <MeasureSwitch key={measure.name} measure={measure} />,
      )}
      <div className="correction-tools">
        <CommandTool command="correct.undo" icon="undo" isDisabled={stack.past.length === 0} onPress={undo} />
        <CommandTool command="correct.redo" icon="redo" isDisabled={stack.future.length === 0} onPress={redo} />
        <RulerTools edges={stack.present.edges.length} />
        {proposal && <CommandTool command="correct.restorePoint" icon="pointBack" isDisabled={!canRestore} />}
        <CommandTool command="correct.previousPoint" icon="pointPrevious" />
        <CommandTool command="correct.nextPoint" icon="pointNext" />
        <IconButton icon="retry" label={text("viewer.reset")} disabled={!isChanged({ stack, start })} onClick={reset} />
        <KeyedButton command="correct.leave" tone="plain" onClick={() => runCommand("correct.leave")} />
      </div>
    </div>
  );
}

/** Moves the ruler by a vertebra. Its shortcuts are visible, as they are used while looking at the film. */
function RulerTools({ edges }: { readonly edges: number }) {
  const text = useText();
  return (
    <span className="ruler-tools">
      <CommandTool command="correct.shiftCranial" icon="left" isDisabled={edges < 3} />
      <Keys keys={useKeys("correct.shiftCranial")} />
      <span className="quiet">{text("result.ruler")}</span>
      <Keys keys={useKeys("correct.shiftCaudal")} />
      <CommandTool command="correct.shiftCaudal" icon="right" isDisabled={edges < 4} />
    </span>
  );
}

function NextStep() {
  const text = useText();
  const mode = useCorrection((state) => state.mode);
  const undrawn = undrawnMeasure(useCorrection((state) => state.stack.present));
  if (undrawn?.line) {
    return (
      <span className="next-point" role="status">
        {text("viewer.drawOut", { point: text(`viewer.point_${undrawn.line.point}`) })}
      </span>
    );
  }
  if (mode === "by_hand") return <NextPoint />;
  return <span className="quiet hint">{text("viewer.correctingHint")}</span>;
}

function MeasureSwitch({ measure }: { readonly measure: KnownMeasure }) {
  const text = useText();
  const draft = useCorrection((state) => state.stack.present);
  const toggle = useCorrection((state) => state.toggleMeasure);
  const isThere = measure.line !== null && pointOf(draft, measure.line.point) !== null;
  return (
    <Button tone="plain" disabled={heartOf(draft) === null} aria-pressed={isThere} onClick={() => toggle(measure)}>
      {text(isThere ? "viewer.removeMeasure" : "viewer.addMeasure", { label: measure.label })}
    </Button>
  );
}

function NextPoint() {
  const text = useText();
  const { stack, skip } = useCorrection();
  const next = nextToPlace(stack.present);
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
