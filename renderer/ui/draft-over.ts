import { useState } from "react";

/**
 * What is typed over a value that is saved when its field is left. A value that is saved elsewhere meanwhile counts:
 * the old one, still standing in the field, would be saved over it.
 */
export function useDraftOver(value: string): readonly [draft: string, setDraft: (draft: string) => void] {
  const [{ typed, over }, setTyped] = useState({ typed: value, over: value });
  return [over === value ? typed : value, (draft) => setTyped({ typed: draft, over: value })];
}
