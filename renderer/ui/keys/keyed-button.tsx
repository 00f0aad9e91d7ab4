import type { ComponentProps } from "react";
import { Button, Hint } from "../button.tsx";
import { useText } from "../language/language.ts";
import { shortcutTable, useKeys, type Command } from "./shortcuts.ts";

export function KeyedButton({
  command,
  ...rest
}: { readonly command: Command } & Omit<ComponentProps<typeof Button>, "children">) {
  const words = useText()(shortcutTable[command].message);
  return (
    <Hint text={words} keys={useKeys(command)}>
      <Button {...rest}>{words}</Button>
    </Hint>
  );
}
