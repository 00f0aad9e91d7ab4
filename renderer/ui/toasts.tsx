import { create } from "zustand";
import { IconButton } from "./button.tsx";
import { useText } from "./language/language.ts";

type Toast = { readonly id: number; readonly tone: "note" | "fault"; readonly text: string };
type ToastState = {
  readonly toasts: readonly Toast[];
  readonly show: (tone: Toast["tone"], text: string) => void;
  readonly dismiss: (id: number) => void;
};

let lastId = 0;
const shownMs = 6000;

/** Short messages in the corner; a fault stays until it is dismissed. */
export const useToasts = create<ToastState>((set, get) => ({
  toasts: [],
  show: (tone, text) => {
    if (get().toasts.some((toast) => toast.text === text)) return;
    const id = ++lastId;
    set((state) => ({ toasts: [...state.toasts.slice(-3), { id, tone, text }] }));
    if (tone === "note") setTimeout(() => get().dismiss(id), shownMs);
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
          <IconButton icon="close" label={text("common.close")} onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
