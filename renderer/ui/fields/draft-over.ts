import { useKeptForm } from "./kept-form.ts";

/**
 * `saveDraft` does what saves the draft as it stands, and ends it then: the value counts, also where somebody has
 * changed it back meanwhile. What is typed during that stays.
 */
type Draft<Value> = readonly [
  draft: Value,
  setDraft: (draft: Value) => void,
  saveDraft: (work: () => Promise<void>) => Promise<void>,
];

/** What no value looks like as JSON. */
const nothing = "";

/**
 * What is typed over a value that is saved when its field is left, or with its form. A value that is saved elsewhere
 * meanwhile counts: the old one, still standing in the field, would be saved over it.
 *
 * @param value  text, or what JSON can say
 * @param form   name of a form whose draft waits while another page is shown; null for fields that are saved when left
 */
export function useDraftOver<Value>(value: Value, form: string | null = null): Draft<Value> {
  const saved = JSON.stringify(value);
  const [{ typed, over, sent }, set] = useKeptForm(form, { typed: value, over: saved, sent: nothing });
  const isStill = over === saved || sent === saved;
  // What was typed over a former value is gone for good, also when that value comes back.
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
