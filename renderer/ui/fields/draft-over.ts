import { useKeptForm } from "./kept-form.ts";

/**
 * `saveDraft` runs the work that saves the current draft, then ends the draft. The stored value then takes precedence,
 * even if another window has reverted it; text typed during saving stays.
 */
type Draft<Value> = readonly [
  draft: Value,
  setDraft: (draft: Value) => void,
  saveDraft: (work: () => Promise<void>) => Promise<void>,
];

/** Equal to no JSON value. */
const nothing = "";

/**
 * Draft of a value that is saved when its field is left, or with its form. A value saved elsewhere replaces the draft,
 * which would otherwise overwrite it.
 *
 * @param value  text, or a JSON value
 * @param form   name of a form whose draft survives a change of page; null for fields that are saved when left
 */
export function useDraftOver<Value>(value: Value, form: string | null = null): Draft<Value> {
  const saved = JSON.stringify(value);
  const [{ typed, over, sent }, set] = useKeptForm(form, { typed: value, over: saved, sent: nothing });
  const isStill = over === saved || sent === saved;
  // A draft over an earlier value is dropped for good, even if that value returns.
  if (over !== saved) set({ typed: isStill ? typed : value, over: saved, sent: nothing });
  return [
    isStill ? typed : value,
    (draft) => set((now) => ({ ...now, typed: draft, over: saved })),
    async (work) => {
      set((now) => ({ ...now, sent: JSON.stringify(now.typed) }));
      try {
        await work();
      } catch (error) {
        set((now) => ({ ...now, sent: nothing }));
        throw error;
      }
      set((now) => (now.sent === JSON.stringify(now.typed) ? { ...now, over: nothing } : now));
    },
  ];
}
