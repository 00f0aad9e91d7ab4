import { preferenceOf, usePreferences } from "../../state/preferences.ts";
import { IconButton } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { Menu } from "../../ui/menu.tsx";
import { runCommand, useCommands, useKeys, useShortcutKeys, usualKeys } from "../../ui/keys/shortcuts.ts";
import { preferPreset, windowPresets, type WindowPreset } from "./window-presets.ts";

/**
 * Menu of grey window presets with their shortcuts. A preset chosen in the menu also applies to films opened later; a
 * shortcut applies it to the shown film only.
 *
 * @param onKeep  saves the window shown as the user's own; absent if several films have a window each
 */
export function WindowMenu({
  onApply,
  onKeep,
}: {
  readonly onApply: (preset: WindowPreset) => void;
  readonly onKeep?: () => void;
}) {
  const text = useText();
  const resetKeys = useKeys("view.windowReset");
  const changedKeys = useShortcutKeys((state) => state.changed);
  const values = usePreferences((state) => state.values);
  const chosen = preferenceOf<string>(values, "window.preset", "film");
  const hasOwn = "window.own.width" in values;
  const offered = windowPresets.filter((preset) => preset !== "own" || hasOwn);
  useCommands(Object.fromEntries(offered.map((preset) => [`window.${preset}`, () => onApply(preset)])));
  const presets = offered.map((preset) => ({
    label: text(`viewer.preset_${preset}`),
    isChosen: preset === chosen,
    keys: changedKeys[`window.${preset}`] ?? usualKeys(`window.${preset}`),
    onChoose: () => {
      preferPreset(preset);
      onApply(preset);
    },
  }));
  const reset = {
    label: text("viewer.windowReset"),
    keys: resetKeys,
    onChoose: () => runCommand("view.windowReset"),
  };
  const keep = onKeep ? [{ label: text("viewer.windowKeep"), onChoose: onKeep }] : [];
  return (
    <Menu align="start" entries={[...presets, "line", reset, ...keep]}>
      <IconButton icon="window" label={text("viewer.windowPresets")} />
    </Menu>
  );
}
