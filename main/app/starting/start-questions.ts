import { app, dialog, type MessageBoxOptions, BrowserWindow } from "electron";
import type { AppError } from "../../../core/app-error.ts";
import type { Log } from "../../services/measuring/service-context.ts";
import type { BackupFile } from "../../store/backups/backups.ts";
import { menuTexts, type MenuTexts } from "../menu/menu-texts.ts";
import type { AwayDecision } from "./open-when-reachable.ts";
import type { DamageDecision } from "./open-or-recover.ts";

// No store is open yet, so the language setting is unknown.
const texts = (): MenuTexts => menuTexts("system", app.getLocale());

export async function askWhileUnavailable(log: Log, error: unknown, signal: AbortSignal): Promise<AwayDecision> {
  log.warn({ code: "STORE_UNAVAILABLE" }, "the database is unavailable");
  const { databaseAway, databaseAwayDetail, tryAgain, workWithFile, quit } = texts();
  const decisions = ["again", "file", "quit"] as const;
  const options: MessageBoxOptions = {
    type: "warning",
    message: databaseAway,
    detail: `${databaseAwayDetail}\n\n${error instanceof Error ? error.message : String(error)}`,
    buttons: [tryAgain, workWithFile, quit],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
    signal,
  };
  const { response } = await withParentWindow((parent) => dialog.showMessageBox(parent, options));
  return decisions[response] ?? "quit";
}

export async function askAboutDamage(log: Log, error: AppError, backup: BackupFile | null): Promise<DamageDecision> {
  log.error({ code: error.code, cause: error.message }, "the store cannot be opened");
  const { storeDamaged, storeDamagedDetail, newestBackup, noBackup, restoreBackup, startEmpty, quit } = texts();
  const made = backup && new Date(backup.atMs).toLocaleString(app.getLocale());
  const choices = [
    ...(made ? [{ decision: "restore", label: restoreBackup } as const] : []),
    { decision: "empty", label: startEmpty } as const,
    { decision: "quit", label: quit } as const,
  ];
  const { response } = await dialog.showMessageBox({
    type: "error",
    message: storeDamaged,
    detail: `${storeDamagedDetail}\n\n${made ? `${newestBackup} ${made}` : noBackup}`,
    buttons: choices.map(({ label }) => label),
    // An empty store hides all data, so it must not be the default.
    defaultId: made ? 0 : choices.length - 1,
    cancelId: choices.length - 1,
    noLink: true,
  });
  return choices[response]?.decision ?? "quit";
}

/** A message box without a parent ignores its `signal`, and on macOS it blocks the process. */
async function withParentWindow<Answer>(ask: (parent: BrowserWindow) => Promise<Answer>): Promise<Answer> {
  const parent = new BrowserWindow({ width: 560, height: 280, title: "Corvet", resizable: false, closable: false });
  // Removes Electron's default menu, since Corvet's is not set yet.
  parent.removeMenu();
  try {
    return await ask(parent);
  } finally {
    parent.destroy();
  }
}
