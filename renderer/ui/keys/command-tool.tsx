import { IconButton } from "../button.tsx";
import type { IconName } from "../icon.tsx";
import { useText } from "../language/language.ts";
import { runCommand, shortcutTable, useKeys, type Command } from "./shortcuts.ts";

export function CommandTool({
  command,
  icon,
  isPressed,
}: {
  readonly command: Command;
  readonly icon: IconName;
  readonly isPressed?: boolean;
}) {
  const text = useText();
  return (
    <IconButton
      icon={icon}
      label={text(shortcutTable[command].message)}
      keys={useKeys(command)}
      {...(isPressed !== undefined && { isPressed })}
      onClick={() => runCommand(command)}
    />
  );
}
