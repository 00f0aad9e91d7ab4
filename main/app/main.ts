import { app, dialog, ipcMain, Menu, protocol, safeStorage, session, shell } from "electron";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Settings } from "../../core/contract/desktop/settings.ts";
import { AppError } from "../../core/app-error.ts";
import type { Catalogue } from "../../core/language/catalogue.ts";
import { languageOfLocale } from "../../core/language/languages.ts";
import { openLog } from "../log.ts";
import { openCorvet, type Corvet, type CorvetOptions } from "../compose.ts";
import { defaultDataDir, defaultPort, pageDir, programDir, programPacksDir } from "../program.ts";
import { filmExtensions } from "../services/import/import-kinds.ts";
import { getDesktopSettings } from "../services/desktop/desktop-settings.ts";
import { inFile, isDatabaseAway } from "../services/program/store-location.ts";
import { unlockStore } from "../services/program/encryption/encryption.ts";
import { setKeyKeeper } from "../store/encryption/key-keeper.ts";
import { readCommandLine } from "./command-line.ts";
import { createFileOpener } from "./file-opener.ts";
import { openHeadVault } from "./head-vault.ts";
import { openMail } from "./mail.ts";
import { menuTemplate, type MenuActions } from "./menu/menu.ts";
import { menuTexts, textsOf, type MenuTexts } from "./menu/menu-texts.ts";
import { answerCalls } from "./page-ipc.ts";
import { answerPageScheme, blockRemoteContent, registerPageScheme } from "./page-protocol.ts";
import { openWhenReachable } from "./starting/open-when-reachable.ts";
import { openOrRecover } from "./starting/open-or-recover.ts";
import { restrictPermissions } from "./permissions.ts";
import { openSealer } from "./sealer.ts";
import { turnSignInOff } from "./starting/forgotten-pin.ts";
import { relaunchProgram } from "./relaunch-program.ts";
import { isStartedAtLogIn, openStartAtLogIn } from "./start-at-log-in.ts";
import { startFaultText, writeFaultOf } from "./starting/start-fault.ts";
import { askAboutDamage, askWhileUnavailable } from "./starting/start-questions.ts";
import { quitBeforeShutdown } from "./system-shutdown.ts";
import { systemKeyKeeper } from "./system-key-keeper.ts";
import { openTray, type ServiceTray } from "./menu/tray.ts";
import { openElectronUpdates } from "./updates/electron-updates.ts";
import { createMainWindow, type MainWindow } from "./window/main-window.ts";
import { forbidNavigation } from "./window/page-limits.ts";

const commandLine = readCommandLine(process.argv, app.isPackaged);
const { option } = commandLine;
const dataDir = path.resolve(option("data-dir") ?? defaultDataDir());
const log = openLog(dataDir);
/** Data sent by a second start, possibly of another version. */
const secondStart = z.object({ named: z.array(z.string()) }).catch({ named: [] });

let corvet: Corvet | null = null;
const opener = createFileOpener(log);
let mainWindow: MainWindow | null = null;
/** Whether a window was requested before the program was ready, or while the service closes. */
let isWindowWanted = false;
let tray: ServiceTray | null = null;
let shownTexts: MenuTexts | null = null;
let isQuitting = false;
/** Installs the downloaded release after the service is closed. */
let installRelease: ((isRestarting: boolean) => void) | null = null;
let isUpdating = false;
let isRestarting = false;

app.enableSandbox();
registerPageScheme(protocol);
forbidNavigation(app);
// Chromium's files are stored with the clinic's data, so that one folder contains the program's entire state.
app.setPath("userData", path.join(dataDir, "window"));

// Chromium reorders and extends the `argv` of a second start.
if (app.requestSingleInstanceLock({ named: commandLine.named })) {
  app.on("second-instance", (_event, _argv, workingDir, start) => {
    showWindow();
    opener.openNamed(secondStart.parse(start).named, workingDir);
  });
  app.on("open-url", (event, url) => {
    event.preventDefault();
    showWindow();
    opener.openNamed([url], dataDir);
  });
  app.on("open-file", (event, file) => {
    event.preventDefault();
    showWindow();
    opener.openFilms([file]);
  });
  app.on("activate", showWindow);
  // The service continues to run for other programs, with an icon in the tray.
  app.on("window-all-closed", () => undefined);
  app.on("before-quit", (event) => {
    if (corvet === null) return;
    event.preventDefault();
    quit();
  });
  process.on("uncaughtException", reportUncaught);
  // Electron only prints unhandled rejections: shell/browser/electron_browser_main_parts.cc
  process.on("unhandledRejection", reportUncaught);
  void app.whenReady().then(start).catch(cannotStart);
} else {
  const fault = writeFaultOf(dataDir);
  if (fault === null) app.quit();
  else void app.whenReady().then(() => cannotStart(fault));
}

async function start(): Promise<void> {
  quitBeforeShutdown(quit);
  blockRemoteContent(session.defaultSession);
  setKeyKeeper(systemKeyKeeper(safeStorage, (folder) => besidesData("store-key", folder)));
  const recoveryKeyFile = option("recovery-key-file");
  if (recoveryKeyFile !== undefined) unlockStore(dataDir, readFileSync(recoveryKeyFile, "utf8"));
  const updateHost = await openElectronUpdates(log, {
    texts: () => updateTexts(corvet?.desktop.context.db),
    restart() {
      isUpdating = true;
      quit();
    },
    onFault: leave,
  });
  installRelease = updateHost.install;
  const options: CorvetOptions = {
    dataDir,
    log,
    port: Number(option("port") ?? defaultPort),
    takesFreePort: true,
    database: option("database"),
    packsDir: app.isPackaged ? path.join(process.resourcesPath, "packs") : programPacksDir,
    sealer: openSealer(safeStorage),
    headVault: openHeadVault(safeStorage, besidesData("head", dataDir)),
    openFolder: async (folder) => void (await shell.openPath(folder)),
    startAtLogIn: openStartAtLogIn(app, commandLine.forRestart, process.platform),
    restart() {
      isRestarting = true;
      quit();
    },
    updateHost,
    openMail: (draft) => openMail(shell, draft),
  };
  corvet = await openWhenReachable({
    open: (isInFile) =>
      openOrRecover({
        dataDir,
        open: () => openCorvet(isInFile ? { ...options, database: inFile } : options),
        ask: (error, backup) => askAboutDamage(log, error, backup),
      }),
    isAway: (error) => isDatabaseAway(error, dataDir, options),
    ask: (error, signal) => askWhileUnavailable(log, error, signal),
    everyMs: 3000,
    quietMs: isHiddenStart() ? 60_000 : 0,
  });
  if (corvet === null) return app.exit(0);
  const { desktop, url } = corvet;
  if (commandLine.options.includes("--sign-in-off")) await turnSignInOff(corvet.context.db);
  restrictPermissions(session.defaultSession);
  answerPageScheme(session.defaultSession, desktop, pageDir);
  answerCalls(ipcMain, desktop);
  const translate = (language: Settings["language"]) => {
    const texts = menuTexts(language, app.getLocale());
    // Settings change often; menu and tray depend only on the language.
    if (texts === shownTexts) return;
    shownTexts = texts;
    const template = menuTemplate(texts, menuActions(texts), {
      platform: process.platform,
      isPackaged: app.isPackaged,
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    tray ??= openTray(path.join(programDir, "build"), url, { show: showWindow, quit }, process.platform);
    tray.translate(texts);
  };
  translate((await getDesktopSettings(desktop.context.db)).language);
  desktop.subscribe((event) => {
    if (event.name === "settings.changed") translate(event.payload.settings.language);
    else if (event.name === "opening.asked") showWindow();
  });
  mainWindow = createMainWindow({
    desktop,
    log,
    texts: () => shownTexts ?? menuTexts("system", app.getLocale()),
    preload: path.join(programDir, "dist", "preload", "preload.cjs"),
    dataDir,
    isPackaged: app.isPackaged,
    onStay: () => (isQuitting = isUpdating = isRestarting = false),
    onClosed(isWanted) {
      if (isQuitting) void closeService();
      else if (isWanted) showWindow();
    },
  });
  if (!isHiddenStart() || opener.pending().length > 0 || isWindowWanted) showWindow();
  opener.start(desktop);
  opener.openNamed(commandLine.named, process.cwd());
}

const isHiddenStart = () => isStartedAtLogIn(app, commandLine.options, process.platform);

function besidesData(what: "head" | "store-key", folder: string): string {
  const mark = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(app.getPath("appData"), `corvet-${what}-${mark}`);
}

async function updateTexts(db: Corvet["context"]["db"] | undefined): Promise<Catalogue["updates"]> {
  return textsOf(db ? (await getDesktopSettings(db)).language : "system", app.getLocale()).updates;
}

function showWindow(): void {
  if (mainWindow === null) isWindowWanted = true;
  else if (!isQuitting) mainWindow.show();
}

function menuActions(texts: MenuTexts): MenuActions {
  const choose = async (properties: readonly ("openFile" | "openDirectory" | "multiSelections")[]) => {
    const filters = [
      { name: texts.films, extensions: [...filmExtensions] },
      { name: "*", extensions: ["*"] },
    ];
    const { filePaths } = await dialog.showOpenDialog({ properties: [...properties], filters });
    if (filePaths.length > 0) showWindow();
    opener.openFilms(filePaths);
  };
  return {
    command(command) {
      showWindow();
      corvet?.desktop.context.publish({ name: "menu.command", payload: { command } });
    },
    openFiles: () => void choose(["openFile", "multiSelections"]),
    openFolder: () => void choose(["openDirectory", "multiSelections"]),
    showDataFolder: () => void shell.openPath(dataDir),
    quit,
  };
}

function quit(): void {
  if (isQuitting) return;
  isQuitting = true;
  if (mainWindow?.close() !== true) void closeService();
}

async function closeService(): Promise<void> {
  // A second start that arrives from now on is repeated after the service has closed.
  opener.stop();
  mainWindow = null;
  isWindowWanted = false;
  let installs = isUpdating;
  try {
    installs ||= (await corvet?.desktop.parts.updates.takesAtQuit()) === true;
    await corvet?.close();
  } catch (error) {
    log.error({ error }, "did not close cleanly");
  }
  if (!installs || installRelease === null) return leave();
  // The installer quits Electron itself; with null, before-quit does not prevent that.
  corvet = null;
  installRelease(isUpdating || isRestarting || isWindowWanted);
}

function leave(): void {
  const args = [...commandLine.forRestart, ...opener.pending()];
  if (isUpdating || isRestarting || isWindowWanted) relaunchProgram(app, args, process.env);
  app.exit(0);
}

/** Logs an uncaught error and shows it in the window. Before the program is open, the error ends the start. */
function reportUncaught(error: unknown): void {
  if (corvet === null) return cannotStart(error);
  log.error({ error }, "uncaught exception");
  const { code, message } = new AppError("INTERNAL");
  corvet.context.reportFault({ code, message });
}

function cannotStart(error: unknown): void {
  log.error({ error }, "cannot start");
  const locale = app.getLocale();
  const text = startFaultText(error, dataDir, languageOfLocale(locale));
  dialog.showErrorBox(menuTexts("system", locale).cannotStart, text);
  app.exit(1);
}
