/** Opens a hidden empty window with a sandbox, like Corvet's window; exits with 0 once it has loaded. */
import { app, BrowserWindow } from "electron";

app.on("render-process-gone", () => app.exit(1));
// No top-level await: Electron is ready only after this module has loaded.
app
  .whenReady()
  .then(() => new BrowserWindow({ show: false, webPreferences: { sandbox: true } }).loadURL("about:blank"))
  .then(
    () => app.exit(0),
    () => app.exit(1),
  );
