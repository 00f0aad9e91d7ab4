import { create } from "zustand";
import { Button, IconButton } from "./button.tsx";
import { useText } from "./language/language.ts";

type ToastAction = { readonly label: string; readonly onChoose: () => void };
type Toast = {
  readonly id: number;
  readonly tone: "note" | "fault";
  readonly text: string;
  readonly action?: ToastAction | undefined;
};
type ToastState = {
  readonly toasts: readonly Toast[];
  /** `action`: what can still be done about it, while it is shown. */
  readonly show: (tone: Toast["tone"], text: string, action?: ToastAction) => void;
  readonly dismiss: (id: number) => void;
};

let lastId = 0;
/** How long a note is shown. */
export const noteShownMs = 6000;

/** Short messages in the corner; a fault stays until it is dismissed. */
export const useToasts = create<ToastState>((set, get) => ({
  toasts: [],
  show: (tone, text, action) => {
    if (!action && get().toasts.some((toast) => toast.text === text)) return;
    const id = ++lastId;
    set((state) => ({ toasts: [...state.toasts.slice(-3), { id, tone, text, action }] }));
    if (tone === "note") setTimeout(() => get().dismiss(id), noteShownMs);
  },
  dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
}));

/** The messages that are shown now. */
export function Toasts() {
  const text = useText();
  const toasts = useToasts((state) => state.toasts);
  const dismiss = useToasts((state) => state.dismiss);
  return (
    <div className="toasts no-print" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`toast ${toast.tone}`}>
          <span>{toast.text}</span>
          {toast.action && <ToastButton toast={toast} action={toast.action} />}
          <IconButton icon="close" label={text("common.close")} onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

function ToastButton({ toast, action }: { readonly toast: Toast; readonly action: ToastAction }) {
  const dismiss = useToasts((state) => state.dismiss);
  return (
    <Button
      tone="plain"
      onClick={() => {
        action.onChoose();
        dismiss(toast.id);
      }}
    >
      {action.label}
    </Button>
  );
}
