import { Button } from "../ui/button.tsx";
import { Slider } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { CommandTool } from "../ui/keys/command-tool.tsx";
import { PopoverButton } from "../ui/popover-button.tsx";

/** @param deg  current angle, clockwise */
export function TurnMenu({
  deg,
  onTilt,
  onStraighten,
}: {
  readonly deg: number;
  readonly onTilt: (byDeg: number) => void;
  readonly onStraighten: () => void;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <PopoverButton icon="turn" label={text("viewer.turn")} onOpenAutoFocus={startOnSlider}>
      <span className="field-label data">{text("viewer.turnReadout", { degrees: format.number(deg, 0) })}</span>
      <div className="row">
        <CommandTool command="view.turnLeft" icon="undo" />
        <Slider
          label={text("viewer.turn")}
          value={Math.round(deg)}
          min={-180}
          max={180}
          step={1}
          onChange={(to) => onTilt(to - deg)}
        />
        <CommandTool command="view.turnRight" icon="redo" />
      </div>
      <Button disabled={deg === 0} onClick={onStraighten}>
        {text("viewer.upright")}
      </Button>
    </PopoverButton>
  );
}

/** Focuses the slider, so that the arrow keys rotate at once and no button tooltip hides the angle. */
function startOnSlider(event: Event): void {
  const slider = event.currentTarget instanceof Element && event.currentTarget.querySelector("[role=slider]");
  if (!(slider instanceof HTMLElement)) return;
  event.preventDefault();
  slider.focus();
}
