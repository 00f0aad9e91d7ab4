import { useEffect, useState } from "react";
import { useAnnotations, type Typing } from "../../state/drawing/annotations.ts";
import { useSavedWhenLeft } from "../../ui/fields/saved-when-left.ts";
import { markTyped } from "../../ui/fields/typed-input.ts";
import { useText } from "../../ui/language/language.ts";
import { numberOf } from "../../ui/language/typed-number.ts";
import { mapped, type Matrix, type Size } from "../view.ts";

const widthPx = 232;
const heightPx = 64;

export function TypingField({
  typing,
  matrix,
  stage,
}: {
  readonly typing: Typing;
  readonly matrix: Matrix;
  readonly stage: Size;
}) {
  const text = useText();
  const { films, write, writeOn, select, cancelTyping, calibrate } = useAnnotations.getState();
  const annotation =
    typing.kind === "text"
      ? films[typing.filmId]?.stack.present?.annotations.find(({ id }) => id === typing.id)
      : undefined;
  const [typed, setTyped] = useState(annotation?.text ?? "");
  const [isFaulty, setFaulty] = useState(false);
  useEffect(() => () => markTyped("annotation", false), []);
  const anchor = (typing.kind === "text" ? annotation?.points[0] : typing.drawing.points[1]) ?? { x: 0, y: 0 };
  const at = mapped(matrix, anchor);
  const keep = () => {
    if (typing.kind === "text") return write(typing.filmId, typing.id, typed);
    const lengthMm = numberOf(typed);
    if (lengthMm === null || lengthMm <= 0 || lengthMm > 10_000) return setFaulty(true);
    calibrate(typing.drawing, lengthMm);
  };
  // Leaving the field saves a text, but never deletes the annotation.
  const leave = () => {
    if (typing.kind === "length") return;
    keep();
    select(null);
  };
  const whenLeft = useSavedWhenLeft(leave, () => typing.kind === "text" && writeOn(typing.filmId, typing.id, typed));
  const label = text(typing.kind === "text" ? "annotations.writeText" : "annotations.knownLength");
  return (
    <form
      className="typing-field"
      style={{
        left: Math.max(4, Math.min(stage.widthPx - widthPx - 4, at.x + 10)),
        top: Math.max(4, Math.min(stage.heightPx - heightPx - 4, at.y + 10)),
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
      {...whenLeft}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        cancelTyping();
      }}
    >
      <label>
        {label}
        <input
          className="input"
          autoFocus
          maxLength={200}
          inputMode={typing.kind === "text" ? "text" : "decimal"}
          autoComplete="off"
          value={typed}
          aria-invalid={isFaulty ? true : undefined}
          aria-describedby={isFaulty ? "typing-fault" : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            markTyped("annotation", true);
          }}
        />
      </label>
      {isFaulty && (
        <span id="typing-fault" className="field-note fault-text" role="alert">
          {text("annotations.knownLengthFault")}
        </span>
      )}
    </form>
  );
}
