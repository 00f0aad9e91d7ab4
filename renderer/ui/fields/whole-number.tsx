import { useText } from "../language/language.ts";
import { numberOf } from "../language/typed-number.ts";
import { useDraftOver } from "./draft-over.ts";
import { TextField } from "./field.tsx";
import { useSavedWhenLeft } from "./saved-when-left.ts";

/** A whole number from 1 that is saved when its field is left, so that partial input is not saved. */
export function WholeNumber({
  label,
  value,
  most,
  onSave,
}: {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onSave: (value: number) => void;
}) {
  const text = useText();
  const [draft, setDraft] = useDraftOver(String(value));
  const typed = numberOf(draft) ?? 0;
  const isGood = Number.isInteger(typed) && typed >= 1 && typed <= most;
  const whenLeft = useSavedWhenLeft(() => isGood && typed !== value && onSave(typed));
  return (
    <TextField
      label={label}
      fault={isGood ? null : text("common.wholeNumber", { most })}
      inputMode="numeric"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      {...whenLeft}
    />
  );
}
