import { memo } from "react";
import { IconButton } from "../button.tsx";
import type { DrawnIcon, IconName } from "../icon.tsx";
import { useText } from "../language/language.ts";
import { runCommand, shortcutTable, useKeys, type Command } from "./shortcuts.ts";

type CommandToolProps = {
  readonly command: Command;
  readonly icon: IconName | DrawnIcon;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  /** Where the button means less than its key. */
  readonly onPress?: () => void;
};

/** Rendered only after a change of its properties: opening a film renders the toolbars around dozens of them. */
export const CommandTool = memo(function CommandTool({
  command,
  icon,
  isPressed,
  isDisabled = false,
  onPress,
}: CommandToolProps) {
  const text = useText();
  return (
    <IconButton
      icon={icon}
      label={text(shortcutTable[command].message)}
      keys={useKeys(command)}
      {...(isPressed !== undefined && { isPressed })}
      disabled={isDisabled}
      onClick={onPress ?? (() => runCommand(command))}
    />
  );
});
