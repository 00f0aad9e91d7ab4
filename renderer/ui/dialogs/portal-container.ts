import { createContext, useContext } from "react";

const Container = createContext<HTMLElement | null>(null);

/** Provides the main landmark or the open dialog to the menus, popovers and tooltips inside. */
export const PortalContainer = Container.Provider;

/** At the end of the body, a menu would lie outside the open dialog and the landmarks: hidden from screen readers. */
export function usePortalContainer(): HTMLElement | null {
  return useContext(Container);
}
