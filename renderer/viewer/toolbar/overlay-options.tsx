import { useReaderMode } from "../../state/films/reader-mode.ts";
import { Slider, Switch } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { PopoverButton } from "../../ui/popover-button.tsx";
import { changeOverlay, opacitySteps, useOverlay } from "../../film/overlay-preferences.ts";

export function OverlayOptions() {
  const text = useText();
  const overlay = useOverlay();
  const isReader = useReaderMode((state) => state.isOn);
  return (
    <PopoverButton icon="settings" label={text("shortcuts.group_overlay")}>
      <Switch
        label={text("viewer.showOverlay")}
        isOn={overlay.isShown}
        onChange={(isShown) => changeOverlay(() => ({ isShown }))}
      />
      <Switch
        label={text("viewer.showLabels")}
        isOn={overlay.hasLabels}
        onChange={(hasLabels) => changeOverlay(() => ({ hasLabels }))}
      />
      <Switch
        label={text("viewer.showVotes")}
        isOn={overlay.hasVotes}
        onChange={(hasVotes) => changeOverlay(() => ({ hasVotes }))}
      />
      <Switch
        label={text("viewer.showOutline")}
        isOn={overlay.hasOutline}
        onChange={(hasOutline) => changeOverlay(() => ({ hasOutline }))}
      />
      <Switch
        label={text("annotations.scaleBar")}
        isOn={overlay.hasScaleBar}
        onChange={(hasScaleBar) => changeOverlay(() => ({ hasScaleBar }))}
      />
      <Switch
        label={text("viewer.foreignMarks")}
        isOn={overlay.hasForeignMarks}
        onChange={(hasForeignMarks) => changeOverlay(() => ({ hasForeignMarks }))}
      />
      <Switch label={text("reader.mode")} isOn={isReader} onChange={(isOn) => useReaderMode.setState({ isOn })} />
      <span className="field-label">{text("viewer.opacity")}</span>
      <Slider
        label={text("viewer.opacity")}
        value={overlay.opacity}
        min={opacitySteps.least}
        max={1}
        step={0.05}
        onChange={(opacity) => changeOverlay(() => ({ opacity }))}
      />
    </PopoverButton>
  );
}
