import { displayKeys } from "./shortcut-keys.ts";

/** A key combination as the platform writes it. */
export function Keys({ keys }: { readonly keys: string }) {
  return <kbd>{displayKeys(keys)}</kbd>;
}
