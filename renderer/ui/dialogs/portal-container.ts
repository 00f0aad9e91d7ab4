import { createContext, useContext } from "react";

const Container = createContext<HTMLElement | null>(null);

/** Provides the main landmark or the open dialog to the menus, popovers and tooltips inside. */
export const PortalContainer = Container.Provider;

/**
 * Element into which a menu, popover or tooltip is rendered. At the end of the body it would lie outside the landmarks,
 * or outside an open dialog, and be hidden from screen readers.
 */
export function usePortalContainer(): HTMLElement | null {
  return useContext(Container);
}
