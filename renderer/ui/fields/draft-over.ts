import { useState } from "react";

/** What no value looks like as JSON. */
const nothing = "";

/** `drop` ends a draft that has been saved: `value` counts, also when somebody has changed it back meanwhile. */
type Draft<Value> = readonly [draft: Value, setDraft: (draft: Value) => void, drop: () => void];

/**
 * What is typed over a value that is saved when its field is left, or with its form. A value that is saved elsewhere
 * meanwhile counts: the old one, still standing in the field, would be saved over it.
 *
 * @param value  text, or what JSON can say
 */
export function useDraftOver<Value>(value: Value): Draft<Value> {
  const saved = JSON.stringify(value);
  const [{ typed, over }, setTyped] = useState({ typed: value, over: saved });
  // What was typed over a former value is gone for good, also when that value comes back.
  if (over !== saved) setTyped({ typed: value, over: saved });
  return [
    over === saved ? typed : value,
    (draft) => setTyped({ typed: draft, over: saved }),
    () => setTyped({ typed: value, over: nothing }),
  ];
}
