import { createElement, isValidElement } from "react";
import { toast } from "sonner";
import { textNow } from "../language/language.ts";
import { afterNote } from "./note-time.ts";
import { ToastContent, type ToastProps } from "./toast-content.tsx";
import { inWords, type Words } from "./words.ts";

/** Shows a short message. A note disappears after some time; a fault stays until it is closed or settled. */
export function showToast(
  tone: ToastProps["tone"],
  words: Words,
  { action, about }: Pick<ToastProps, "action" | "about"> = {},
): void {
  const say = textNow();
  if (!action && shownToasts().some((shown) => inWords(shown.words, say) === inWords(words, say))) return;
  const id = crypto.randomUUID();
  // `afterNote` ends notes instead of sonner: it also pauses for keyboard focus, and runs while the window is hidden.
  const options = { id, duration: Infinity, dismissible: false };
  toast.custom(() => createElement(ToastContent, { id, tone, words, action, about }), options);
  if (tone === "note") afterNote(() => toast.dismiss(id));
}

/** Closes messages whose cause (`about`) has been resolved. */
export function settleToasts(about: string): void {
  for (const shown of shownToasts()) if (shown.about === about) toast.dismiss(shown.id);
}

/** Messages that have not been closed, oldest first. */
export function shownToasts(): readonly ToastProps[] {
  return toast
    .getToasts()
    .flatMap((shown) => ("jsx" in shown && isValidElement<ToastProps>(shown.jsx) ? shown.jsx.props : []));
}
