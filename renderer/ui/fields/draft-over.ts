import { useEffect } from "react";
import { useKeptForm } from "./kept-form.ts";

/**
 * `saveDraft` runs the work that saves the current draft, then ends the draft, even if the form has gone. The stored
 * value then takes precedence, even if another window has reverted it; text typed during saving stays.
 */
type Draft<Value> = readonly [
  draft: Value,
  setDraft: (draft: Value) => void,
  saveDraft: (work: () => Promise<void>) => Promise<void>,
];

/** `over` is the stored value when it was typed, `sent` the draft being saved; both as JSON. */
type Kept<Value> = { readonly typed: Value; readonly over: string; readonly sent: string | null };

/**
 * Draft of a value that is saved when its field is left, or with its form. A value saved elsewhere replaces the draft,
 * which would otherwise overwrite it. A draft that is not saved survives a change of page.
 *
 * @param name   name of the field or form; null for a form whose draft ends with it
 * @param value  text, or a JSON value
 */
export function useDraftOver<Value>(name: string | null, value: Value): Draft<Value> {
  const saved = JSON.stringify(value);
  const [kept, set] = useKeptForm<Kept<Value> | null>(name, null);
  const draft = kept !== null && (kept.over === saved || kept.sent === saved) ? kept : null;
  // A draft over an earlier value is dropped for good, even if that value returns.
  useEffect(() => {
    if (kept !== null && kept.over !== saved) set(draft && unsaved({ ...draft, over: saved, sent: null }));
  });
  return [
    draft ? draft.typed : value,
    (typed) => set((now) => unsaved({ typed, over: saved, sent: now?.sent ?? null })),
    async (work) => {
      const sent = JSON.stringify(draft ? draft.typed : value);
      set((now) => now && { ...now, sent });
      try {
        await work();
      } catch (error) {
        set((now) => now && unsaved({ ...now, sent: null }));
        throw error;
      }
      set((now) => (now?.sent === sent && JSON.stringify(now.typed) === sent ? null : now));
    },
  ];
}

/** A draft that equals the stored value is none, unless another one is being saved. */
function unsaved<Value>(kept: Kept<Value>): Kept<Value> | null {
  return kept.sent === null && JSON.stringify(kept.typed) === kept.over ? null : kept;
}
