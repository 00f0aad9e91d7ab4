import type * as Electron from "electron";

export type WatchedDesktop = {
  readonly asked: { readonly kind: string; readonly message: string; readonly detail: string }[];
  readonly answers: unknown[];
  readonly opened: string[];
  open: number;
};

/** Replaces dialogs and other programs, sent as source. A dialog without an answer stays open until its signal. */
export function watchDesktop({ dialog, shell }: typeof Electron, answers: readonly unknown[]): void {
  const desktop: WatchedDesktop = { asked: [], answers: [...answers], opened: [], open: 0 };
  Object.assign(globalThis, { desktop });
  const next = (kind: string, args: readonly unknown[]) => {
    const options = args.at(-1) as Electron.MessageBoxOptions;
    desktop.asked.push({ kind, message: options.message, detail: options.detail ?? "" });
    const answer = desktop.answers.shift() as number | string | undefined;
    const response = typeof answer === "string" ? (options.buttons ?? []).indexOf(answer) : answer;
    return { options, response: response ?? options.cancelId ?? 0, isAnswered: answer !== undefined };
  };
  Object.assign(dialog, {
    // Also printed, because the program exits afterwards.
    showErrorBox: (title: string, content: string) => {
      console.error(`${title}\n${content}`);
      desktop.asked.push({ kind: "showErrorBox", message: title, detail: content });
    },
    showOpenDialog: async () => {
      desktop.asked.push({ kind: "showOpenDialog", message: "", detail: "" });
      const filePaths = (desktop.answers.shift() ?? []) as string[];
      return { canceled: filePaths.length === 0, filePaths };
    },
    showMessageBox: async (...args: unknown[]) => {
      const { options, response, isAnswered } = next("showMessageBox", args);
      // Without a parent window Electron ignores the signal: docs/api/dialog.md
      if (!isAnswered && options.signal && args.length > 1) {
        desktop.open += 1;
        await new Promise((resolve) => options.signal!.addEventListener("abort", resolve));
        desktop.open -= 1;
      }
      return { response, checkboxChecked: false };
    },
    showMessageBoxSync: (...args: unknown[]) => next("showMessageBoxSync", args).response,
  });
  const open = (name: "openPath" | "openExternal" | "showItemInFolder") => (opened: string) => {
    desktop.opened.push(`${name} ${opened}`);
    return name === "showItemInFolder" ? undefined : Promise.resolve("");
  };
  const names = ["openPath", "openExternal", "showItemInFolder"] as const;
  Object.assign(shell, Object.fromEntries(names.map((name) => [name, open(name)])));
}
