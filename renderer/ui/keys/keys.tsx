import { useLanguage } from "../language/language.ts";
import { displayKeys } from "./shortcut-keys.ts";
import { useKeys, type Command } from "./shortcuts.ts";

export function Keys({ keys }: { readonly keys: string }) {
  const language = useLanguage((state) => state.language);
  return <kbd>{displayKeys(keys, language)}</kbd>;
}

/** Shortcut of a command, formatted for use in a sentence. */
export function useShownKeys(command: Command): string {
  const language = useLanguage((state) => state.language);
  return displayKeys(useKeys(command), language);
}
