import { useEffect, useId, useRef } from "react";
import { create } from "zustand";
import { Button, IconButton } from "../button.tsx";
import type { Say } from "../../../core/language/say.ts";
import { textNow, useText } from "../language/language.ts";
import { afterNote, holdNotes } from "./note-time.ts";

/** Words as they stand, or as each language says them: what stays on the screen follows the language. */
type Words = string | ((say: Say) => string);

/** Words in a language. */
export function inWords(words: Words, say: Say): string {
  return typeof words === "string" ? words : words(say);
}

type ToastAction = { readonly label: Words; readonly onChoose: () => void };
type ToastOptions = {
  /** What can still be done about it, while it is shown. */
  readonly action?: ToastAction | undefined;
  /** The state that it tells of: once that is over, it goes by itself. */
  readonly about?: string | undefined;
};
type Toast = ToastOptions & {
  readonly id: number;
  readonly tone: "note" | "fault";
  readonly words: Words;
};
type ToastState = {
  readonly toasts: readonly Toast[];
  readonly show: (tone: Toast["tone"], words: Words, options?: ToastOptions) => void;
  readonly dismiss: (id: number) => void;
  /** A state is over: what was said of it goes. */
  readonly settle: (about: string) => void;
};

let lastId = 0;

/** Short messages; a fault stays until it is dismissed or over. */
export const useToasts = create<ToastState>((set, get) => ({
  toasts: [],
  show: (tone, words, { action, about } = {}) => {
    const say = textNow();
    if (!action && get().toasts.some((toast) => inWords(toast.words, say) === inWords(words, say))) return;
    const id = ++lastId;
    set((state) => ({ toasts: [...withRoom(state.toasts), { id, tone, words, action, about }] }));
    if (tone === "note") afterNote(() => get().dismiss(id));
  },
  dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
  settle: (over) => set((state) => ({ toasts: state.toasts.filter(({ about }) => about !== over) })),
}));

/** As many as leave the worklist its room. */
const mostShown = 4;

/** Without the oldest one that can be spared: plain notes first, then what can still be undone, and faults last. */
function withRoom(toasts: readonly Toast[]): readonly Toast[] {
  if (toasts.length < mostShown) return toasts;
  const spared =
    toasts.find(({ tone, action }) => tone === "note" && !action) ??
    toasts.find(({ tone }) => tone === "note") ??
    toasts[0];
  return toasts.filter((toast) => toast !== spared);
}

/** Where messages can be shown, in the order in which they came; a dialog lies over everything else. */
const usePlaces = create<{ readonly places: readonly { readonly id: string; readonly isDialog: boolean }[] }>(() => ({
  places: [],
}));

/** Whether this is the place whose messages can be seen now. */
function useIsTopPlace(isDialog: boolean): boolean {
  const id = useId();
  useEffect(() => {
    usePlaces.setState(({ places }) => ({ places: [...places, { id, isDialog }] }));
    return () => usePlaces.setState(({ places }) => ({ places: places.filter((place) => place.id !== id) }));
  }, [id, isDialog]);
  return usePlaces(({ places }) => (places.findLast((place) => place.isDialog) ?? places.at(-1))?.id === id);
}

/**
 * The messages that are shown now, with room of their own: they cover nothing. An open dialog takes them over.
 */
export function Toasts({ isDialog = false }: { readonly isDialog?: boolean }) {
  const text = useText();
  const isTop = useIsTopPlace(isDialog);
  const toasts = useToasts((state) => state.toasts);
  const dismiss = useToasts((state) => state.dismiss);
  const place = useRef<HTMLDivElement>(null);
  const isPointedAt = useRef(false);
  const hold = (focused: Node | null = document.activeElement) => {
    if (isTop) holdNotes(isPointedAt.current || place.current?.contains(focused) === true);
  };
  // No event says so when a message goes with the keyboard, or a dialog takes the messages from under the pointer.
  useEffect(() => {
    if (!isTop) isPointedAt.current = false;
    hold();
  });
  const point = (isThere: boolean) => {
    isPointedAt.current = isThere;
    hold();
  };
  return (
    <div
      ref={place}
      className="toasts no-print"
      role="status"
      aria-live="polite"
      onPointerEnter={({ pointerType }) => point(pointerType !== "touch")}
      onPointerLeave={() => point(false)}
      onFocus={() => hold()}
      onBlur={({ relatedTarget }) => hold(relatedTarget)}
    >
      {isTop &&
        toasts.map((toast) => (
          <div key={toast.id} className={`toast ${toast.tone}`}>
            <span>{inWords(toast.words, text)}</span>
            {toast.action && <ToastButton toast={toast} action={toast.action} />}
            <IconButton icon="close" label={text("common.close")} onClick={() => dismiss(toast.id)} />
          </div>
        ))}
    </div>
  );
}

function ToastButton({ toast, action }: { readonly toast: Toast; readonly action: ToastAction }) {
  const text = useText();
  const dismiss = useToasts((state) => state.dismiss);
  return (
    <Button
      tone="plain"
      onClick={() => {
        action.onChoose();
        dismiss(toast.id);
      }}
    >
      {inWords(action.label, text)}
    </Button>
  );
}
