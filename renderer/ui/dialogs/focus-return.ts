import { useState } from "react";

type FocusReturn = {
  readonly remember: () => void;
  readonly restoreFocus: (event: Event) => void;
};

let isUnderWay = false;

export function isRestoringFocus(): boolean {
  return isUnderWay;
}

/** Marks the focus return of a menu or a popover, whose button Radix focuses right after this call. */
export function markFocusReturn(): void {
  isUnderWay = true;
  queueMicrotask(() => (isUnderWay = false));
}

/** For a dialog without a trigger, since Radix returns focus to triggers only. */
export function useFocusReturn(): FocusReturn {
  return useState(createFocusReturn)[0];
}

function createFocusReturn(): FocusReturn {
  let before: readonly Element[] = [];
  return {
    remember: () => (before = withSurroundings(openerOf(document.activeElement))),
    restoreFocus: (event) => {
      event.preventDefault();
      // Leaves the focus where it is if it has been moved in the meantime.
      if (document.activeElement !== document.body) return;
      const nearest = before.find(({ isConnected }) => isConnected);
      isUnderWay = true;
      (nearest as (Element & HTMLOrSVGElement) | undefined)?.focus({ preventScroll: true });
      isUnderWay = false;
    },
  };
}

/** The button of a menu item's menu, since the menu closes before the dialog does; other elements unchanged. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : element;
}

/** The focused element and its focusable ancestors, as the dialog's action may remove the element. */
function withSurroundings(element: Element | null): readonly Element[] {
  if (!element) return [];
  return [element, ...withSurroundings(element.parentElement?.closest("[tabindex]") ?? null)];
}
