import { BrowserWindow } from "electron";

/**
 * Asks a question that precedes the program's window. A message box without a parent ignores its `signal`, and on macOS
 * it blocks the process.
 *
 * @see https://www.electronjs.org/docs/latest/api/dialog
 */
export async function withParentWindow<Answer>(ask: (parent: BrowserWindow) => Promise<Answer>): Promise<Answer> {
  const parent = new BrowserWindow({ width: 560, height: 280, title: "Corvet", resizable: false, closable: false });
  // Until the program has started, a window has Electron's default menu.
  parent.removeMenu();
  try {
    return await ask(parent);
  } finally {
    parent.destroy();
  }
}
