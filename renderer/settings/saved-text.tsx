import type { InputHTMLAttributes } from "react";
import { attempt } from "../state/faults.ts";
import { useDraftOver } from "../ui/fields/draft-over.ts";
import { TextArea, TextField } from "../ui/fields/field.tsx";
import { useSavedWhenLeft } from "../ui/fields/saved-when-left.ts";

type SavedTextProps = {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly faultOf?: (text: string) => string | null;
  readonly rows?: number;
  readonly onSave: (value: string) => Promise<unknown>;
} & Pick<
  InputHTMLAttributes<HTMLElement> & InputHTMLAttributes<HTMLInputElement>,
  "className" | "inputMode" | "maxLength"
>;

/** Text field that saves a valid value, without surrounding spaces, when the focus leaves it. */
export function SavedText({ value, faultOf, rows, onSave, ...field }: SavedTextProps) {
  const [draft, setDraft, saveDraft] = useDraftOver(value);
  const fault = faultOf?.(draft) ?? null;
  const whenLeft = useSavedWhenLeft(
    () =>
      fault === null &&
      draft.trim() !== value &&
      attempt(() => saveDraft(async () => void (await onSave(draft.trim())))),
  );
  const props = { ...field, ...whenLeft, fault, value: draft };
  return rows === undefined ? (
    <TextField {...props} onChange={(event) => setDraft(event.target.value)} />
  ) : (
    <TextArea {...props} rows={rows} spellCheck={false} onChange={(event) => setDraft(event.target.value)} />
  );
}
