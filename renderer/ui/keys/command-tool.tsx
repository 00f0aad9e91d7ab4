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
  /** Replaces the command for a button that does less than its shortcut. */
  readonly onPress?: () => void;
};

/** Memoised, since opening a film renders the toolbars, which contain dozens of these buttons. */
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
