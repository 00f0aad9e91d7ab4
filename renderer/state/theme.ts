import type { Settings } from "../../core/contract/desktop/settings.ts";

const systemIsLight = () => window.matchMedia("(prefers-color-scheme: light)").matches;

export function applyTheme(theme: Settings["theme"]): void {
  document.documentElement.dataset["theme"] = theme === "system" ? (systemIsLight() ? "light" : "dark") : theme;
}
