import { toast } from "sonner";
import { Button, IconButton } from "../button.tsx";
import { useText } from "../language/language.ts";
import { inWords, type Words } from "./words.ts";

export type ToastProps = {
  readonly id: string;
  readonly tone: "note" | "fault";
  readonly words: Words;
  /** An offer while the message is shown, such as Undo. */
  readonly action?: { readonly label: Words; readonly onChoose: () => void } | undefined;
  readonly about?: string | undefined;
};

export function ToastContent({ id, tone, words, action }: ToastProps) {
  const text = useText();
  return (
    <div
      className={`toast ${tone}`}
      // The list returns the focus to where it came from on leaving, which would stop the Tab key there.
      onFocus={(event) => event.stopPropagation()}
      onBlur={(event) => event.stopPropagation()}
    >
      <span>{inWords(words, text)}</span>
      {action && (
        <Button
          tone="plain"
          onClick={() => {
            action.onChoose();
            toast.dismiss(id);
          }}
        >
          {inWords(action.label, text)}
        </Button>
      )}
      <IconButton icon="close" label={text("common.close")} onClick={() => toast.dismiss(id)} />
    </div>
  );
}
