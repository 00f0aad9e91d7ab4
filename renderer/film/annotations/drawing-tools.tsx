import { useEffect } from "react";
import type { Picture } from "../../../core/cardiac/picture-of-points.ts";
import { annotationTools } from "../../../core/annotations/annotation-tools.ts";
import { useAnnotations, type DrawingTool } from "../../state/drawing/annotations.ts";
import { useRemovals } from "../../state/films/removals.ts";
import { useText } from "../../ui/language/language.ts";
import { CommandTool } from "../../ui/keys/command-tool.tsx";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { DrawingHistory } from "./drawing-history.tsx";

type DrawingToolsProps = {
  /** Films shown. Undo applies to the one drawn on last. */
  readonly filmIds: readonly string[];
  /** Picture of a single film, whose versions can be restored; absent if several films are shown. */
  readonly picture?: Picture;
  /** Whether a length can be calibrated, i.e. the film has no pixel spacing. */
  readonly canCalibrate: boolean;
  readonly isLocked?: boolean;
};

const tools = annotationTools.map(({ name, icon }) => ({ name, icon: { path: icon } }));

export function DrawingTools({ filmIds, picture, canCalibrate, isLocked = false }: DrawingToolsProps) {
  const text = useText();
  const { tool, drawing, films, touched, selected } = useAnnotations();
  const { chooseTool, leave, undo, redo, remove, cancelDrawing } = useAnnotations.getState();
  const filmId = filmIds.find((id) => id === touched) ?? filmIds[0];
  const stack = filmId === undefined ? undefined : films[filmId]?.stack;
  const undoIt = filmId !== undefined && stack && stack.past.length > 0 ? () => undo(filmId) : null;
  // A film removed after the last drawing step is restored first.
  const isRemovalLater = useRemovals((state) => state.undos.length > 0);
  const redoIt = filmId !== undefined && stack && stack.future.length > 0 ? () => redo(filmId) : null;
  useEffect(() => cancelDrawing, [filmIds, cancelDrawing]);
  const taking = (name: DrawingTool) => [`draw.${name}`, () => chooseTool(name)] as const;
  useCommands(
    isLocked
      ? {}
      : {
          ...Object.fromEntries(annotationTools.map(({ name }) => taking(name))),
          ...(canCalibrate && Object.fromEntries([taking("calibrate")])),
          ...(undoIt && !isRemovalLater && { "correct.undo": undoIt }),
          ...(redoIt && { "correct.redo": redoIt }),
          ...((tool || drawing || selected) && { "correct.leave": leave }),
          // While an annotation is selected or being drawn, the key acts on it and never removes the film.
          ...(selected
            ? { "films.remove": () => remove(selected.filmId, selected.id) }
            : (tool || drawing) && { "films.remove": leave }),
        },
  );
  return (
    <div className="drawing-tools" role="toolbar" aria-label={text("shortcuts.group_draw")}>
      {tools.map(({ name, icon }) => (
        <CommandTool key={name} command={`draw.${name}`} icon={icon} isPressed={tool === name} isDisabled={isLocked} />
      ))}
      {canCalibrate && (
        <CommandTool command="draw.calibrate" icon="calibrate" isPressed={tool === "calibrate"} isDisabled={isLocked} />
      )}
      <span className="tool-gap" />
      <CommandTool
        command="correct.undo"
        icon="undo"
        isDisabled={isLocked || !undoIt}
        {...(undoIt && { onPress: undoIt })}
      />
      <CommandTool command="correct.redo" icon="redo" isDisabled={isLocked || !redoIt} />
      {picture && filmId !== undefined && <DrawingHistory {...{ filmId, picture, isLocked }} />}
    </div>
  );
}

export function DrawingHint() {
  const text = useText();
  const tool = useAnnotations((state) => state.tool);
  return (
    tool && (
      <p className="drawing-hint" role="status">
        {text(`annotations.hint_${tool}`)}
      </p>
    )
  );
}
