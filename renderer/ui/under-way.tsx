import { Button } from "./button.tsx";
import { useText } from "./language/language.ts";

export function UnderWay({
  words,
  stop,
  onStop,
  share,
}: {
  readonly words: string;
  readonly stop?: string;
  readonly onStop: () => void;
  readonly share?: { readonly done: number; readonly all: number } | null;
}) {
  const text = useText();
  return (
    <div className="under-way">
      <span className="quiet" role="status">
        {words}
      </span>
      <Button tone="plain" onClick={onStop}>
        {stop ?? text("common.cancel")}
      </Button>
      <progress className="progress" aria-label={words} {...(share && { max: share.all, value: share.done })} />
    </div>
  );
}
