import { preferenceOf, usePreferences } from "../../state/preferences.ts";
import { IconButton } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { Menu } from "../../ui/menu.tsx";
import { useKeys } from "../../ui/keys/shortcuts.ts";
import { useViewer } from "../viewer-slice.ts";
import { keepOwnWindow, preferPreset, windowPresets } from "./window-presets.ts";

/** Grey windows by name. The one that is chosen is also the one with which the next films open. */
export function WindowMenu() {
  const text = useText();
  const resetKeys = useKeys("view.windowReset");
  const autoKeys = useKeys("view.windowAuto");
  const values = usePreferences((state) => state.values);
  const chosen = preferenceOf<string>(values, "window.preset", "film");
  const hasOwn = "window.own.width" in values;
  const presets = windowPresets
    .filter((preset) => preset !== "own" || hasOwn)
    .map((preset) => ({
      label: text(`viewer.preset_${preset}`),
      isChosen: preset === chosen,
      keys: preset === "automatic" ? autoKeys : undefined,
      onChoose: () => {
        preferPreset(preset);
        useViewer.getState().applyPreset(preset);
      },
    }));
  return (
    <Menu
      align="start"
      entries={[
        ...presets,
        "line",
        {
          label: text("viewer.windowReset"),
          keys: resetKeys,
          onChoose: () => useViewer.getState().resetWindow(),
        },
        { label: text("viewer.windowKeep"), onChoose: () => keepOwnWindow(useViewer.getState().window) },
      ]}
    >
      <IconButton icon="window" label={text("viewer.windowPresets")} />
    </Menu>
  );
}
