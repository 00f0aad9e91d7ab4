import { toast } from "sonner";
import { Button, IconButton } from "../button.tsx";
import { useText } from "../language/language.ts";
import { inWords, type Words } from "./words.ts";

export type ToastProps = {
  readonly id: string;
  readonly tone: "note" | "fault";
  readonly words: Words;
  readonly action?: { readonly label: Words; readonly onChoose: () => void } | undefined;
  readonly about?: string | undefined;
};

export function ToastContent({ id, tone, words, action }: ToastProps) {
  const text = useText();
  return (
    <div
      className={`toast ${tone}`}
      // Sonner's list would move the focus back to the previous element on blur, which would trap the Tab key.
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
