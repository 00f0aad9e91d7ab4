import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Toaster, useSonner } from "sonner";
import { useText } from "../language/language.ts";
import { pauseNotes } from "./note-time.ts";

const Host = createContext<HTMLElement | null>(null);

/** Renders messages into one host element, which a new message moves to the topmost slot. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const text = useText();
  const [host] = useState(createHost);
  const { toasts } = useSonner();
  const older = toasts.length - 1;
  const countBefore = useRef(0);
  useEffect(() => holdWhileInUse(host), [host]);
  useLayoutEffect(() => {
    if (toasts.length > countBefore.current) moveToTop(host);
    countBefore.current = toasts.length;
  }, [host, toasts.length]);
  return (
    <Host value={host}>
      {children}
      {createPortal(
        <>
          <Toaster visibleToasts={1} hotkey={[]} containerAriaLabel={text("common.messages")} />
          {older > 0 && <span className="toast-count quiet fine">+{older}</span>}
        </>,
        host,
      )}
    </Host>
  );
}

/**
 * Space reserved for messages, so that they cover nothing. A dialog shows messages that appear while it is open;
 * earlier ones stay in the slot below.
 */
export function ToastSlot({ isDialog = false }: { readonly isDialog?: boolean }) {
  const host = useContext(Host);
  useLayoutEffect(() => {
    if (!host) return undefined;
    if (isDialog) pauseNotes(false);
    else if (!host.closest(".in-dialog")) moveToTop(host, ".toast-slot:not(.in-dialog)");
    // React removes this slot from the page only after its effects have been cleaned up.
    return () => queueMicrotask(() => host.isConnected || moveToTop(host));
  }, [host, isDialog]);
  return <div className={`toast-slot no-print ${isDialog ? "in-dialog" : ""}`} />;
}

function createHost(): HTMLElement {
  const host = document.createElement("div");
  host.className = "toasts";
  return host;
}

function moveToTop(host: HTMLElement, among = ".toast-slot"): void {
  const slots = [...document.querySelectorAll(among)];
  const top = slots.findLast((slot) => slot.matches(".in-dialog")) ?? slots.at(-1);
  if (!top || host.parentElement === top) return;
  top.append(host);
  pauseNotes(false);
}

/** Pauses notes while the pointer or the focus is on one. @returns function that removes the listeners */
function holdWhileInUse(host: HTMLElement): () => void {
  let isPointed = false;
  const update = () => pauseNotes(isPointed || host.contains(document.activeElement));
  const point = (event: PointerEvent) => {
    isPointed = event.type === "pointerenter" && event.pointerType !== "touch";
    update();
  };
  const listeners = new AbortController();
  const { signal } = listeners;
  host.addEventListener("pointerenter", point, { signal });
  host.addEventListener("pointerleave", point, { signal });
  host.addEventListener("focusin", update, { signal });
  host.addEventListener("focusout", () => queueMicrotask(update), { signal });
  // Removing a message under the pointer or with the focus fires no event.
  const observer = new MutationObserver(() => {
    isPointed &&= host.querySelector(":hover") !== null;
    update();
  });
  observer.observe(host, { childList: true, subtree: true });
  return () => {
    listeners.abort();
    observer.disconnect();
  };
}
