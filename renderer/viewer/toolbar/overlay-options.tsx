import { useReaderMode } from "../../state/films/reader-mode.ts";
import { Slider, Switch } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { PopoverButton } from "../../ui/popover-button.tsx";
import { opacitySteps, setOpacity, togglePart, useOverlay } from "../../film/overlay-preferences.ts";

const switches = [
  ["isShown", "viewer.showOverlay"],
  ["hasLabels", "viewer.showLabels"],
  ["hasVotes", "viewer.showVotes"],
  ["hasOutline", "viewer.showOutline"],
  ["hasScaleBar", "annotations.scaleBar"],
  ["hasForeignMarks", "viewer.foreignMarks"],
] as const;

export function OverlayOptions() {
  const text = useText();
  const overlay = useOverlay();
  const isReader = useReaderMode((state) => state.isOn);
  return (
    <PopoverButton icon="settings" label={text("shortcuts.group_overlay")}>
      {switches.map(([part, label]) => (
        <Switch key={part} label={text(label)} isOn={overlay[part]} onChange={() => togglePart(part)} />
      ))}
      <Switch label={text("reader.mode")} isOn={isReader} onChange={(isOn) => useReaderMode.setState({ isOn })} />
      <span className="field-label">{text("viewer.opacity")}</span>
      <Slider
        label={text("viewer.opacity")}
        value={overlay.opacity}
        min={opacitySteps.least}
        max={1}
        step={0.05}
        onChange={setOpacity}
      />
    </PopoverButton>
  );
}
