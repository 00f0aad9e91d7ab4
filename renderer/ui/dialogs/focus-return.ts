import { useState } from "react";

/** Remembers where the keyboard was when a dialog opened, and gives it back when it has closed. */
type FocusReturn = {
  readonly remember: () => void;
  readonly giveBack: (event: Event) => void;
};

let isUnderWay = false;

/** Whether an element is being given the keyboard back right now. */
export function isGivenBack(): boolean {
  return isUnderWay;
}

/** For a menu or a popover, whose button Radix focuses right after this. */
export function markFocusReturn(): void {
  isUnderWay = true;
  queueMicrotask(() => (isUnderWay = false));
}

/** For a dialog without a trigger: Radix returns the focus to triggers only. */
export function useFocusReturn(): FocusReturn {
  return useState(createFocusReturn)[0];
}

function createFocusReturn(): FocusReturn {
  let before: readonly Element[] = [];
  return {
    remember: () => (before = withSurroundings(openerOf(document.activeElement))),
    giveBack: (event) => {
      event.preventDefault();
      // Leaves the focus where it has moved to in the meantime.
      if (document.activeElement !== document.body) return;
      const nearest = before.find(({ isConnected }) => isConnected);
      isUnderWay = true;
      (nearest as (Element & HTMLOrSVGElement) | undefined)?.focus({ preventScroll: true });
      isUnderWay = false;
    },
  };
}

/** A menu has closed before the dialog does: its button remains. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : element;
}

/** The focused element with fallbacks around it: the dialog's action may remove its opener. */
function withSurroundings(element: Element | null): readonly Element[] {
  if (!element) return [];
  return [element, ...withSurroundings(element.parentElement?.closest("[tabindex]") ?? null)];
}
