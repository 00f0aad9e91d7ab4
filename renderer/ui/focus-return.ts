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

/** For a dialog without a trigger of its own: Radix gives the keyboard back to triggers only. */
export function useFocusReturn(): FocusReturn {
  return useState(createFocusReturn)[0];
}

function createFocusReturn(): FocusReturn {
  let before: Element | null = null;
  return {
    remember: () => (before = openerOf(document.activeElement)),
    giveBack: (event) => {
      event.preventDefault();
      // Whoever has taken the keyboard meanwhile keeps it.
      if (document.activeElement !== document.body || !before?.isConnected) return;
      isUnderWay = true;
      (before as Element & HTMLOrSVGElement).focus({ preventScroll: true });
      isUnderWay = false;
    },
  };
}

/** A menu is gone by the time the dialog closes: its button stays. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : element;
}
