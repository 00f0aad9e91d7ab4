import { useState, type InputHTMLAttributes } from "react";
import { ProgramError } from "../state/connection.ts";
import { attempt, faultText } from "../state/faults.ts";
import { useDraftOver } from "../ui/fields/draft-over.ts";
import { TextArea, TextField } from "../ui/fields/field.tsx";
import { useSavedWhenLeft } from "../ui/fields/saved-when-left.ts";

type SavedTextProps = {
  /** Unique in the program; what could not be saved stays under this name. */
  readonly name: string;
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
export function SavedText({ name, value, faultOf, rows, onSave, ...field }: SavedTextProps) {
  const [draft, setDraft, saveDraft] = useDraftOver(name, value);
  const [refused, setRefused] = useState<{ readonly draft: string; readonly error: ProgramError } | null>(null);
  const fault = faultOf?.(draft) ?? (refused?.draft === draft ? faultText(refused.error) : null);
  const save = (saved: string) =>
    saveDraft(async () => void (await onSave(saved))).catch((error: unknown) => {
      if (!(error instanceof ProgramError) || error.code !== "INVALID_FIELD") throw error;
      setRefused({ draft, error });
    });
  const whenLeft = useSavedWhenLeft(() => {
    const text = draft.trim();
    if (text === value) setDraft(value);
    else if (fault === null) attempt(() => save(text));
  });
  const props = { ...field, ...whenLeft, fault, value: draft };
  return rows === undefined ? (
    <TextField {...props} onChange={(event) => setDraft(event.target.value)} />
  ) : (
    <TextArea {...props} rows={rows} spellCheck={false} onChange={(event) => setDraft(event.target.value)} />
  );
}
