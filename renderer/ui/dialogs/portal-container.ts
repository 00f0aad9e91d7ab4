import { createContext, useContext } from "react";

const Container = createContext<HTMLElement | null>(null);

/** Provides the main landmark or the open dialog to the menus, popovers and tooltips inside. */
export const PortalContainer = Container.Provider;

/**
 * Element that a menu, popover or tooltip is rendered into: at the end of the body, it would lie outside the
 * landmarks, and outside an open dialog, hidden from screen readers.
 */
export function usePortalContainer(): HTMLElement | null {
  return useContext(Container);
}
