import { useLanguage } from "../language/language.ts";
import { displayKeys } from "./shortcut-keys.ts";

/** A key combination as the platform writes it. */
export function Keys({ keys }: { readonly keys: string }) {
  const language = useLanguage((state) => state.language);
  return <kbd>{displayKeys(keys, language)}</kbd>;
}
