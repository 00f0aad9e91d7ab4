import type { MessageTable } from "../message.ts";

/** Photographing a screen. */
export const captureMessages = {
  title: { en: "Photograph a screen", de: "Bildschirm abfotografieren" },
  about: {
    en: "Point the camera at a screen that shows a film, all four corners in view. Three good frames give a reading.",
    de: "Kamera auf einen Bildschirm mit der Aufnahme richten, alle vier Ecken im Bild. Drei gute Bilder ergeben eine Messung.",
  },
  camera: { en: "Camera", de: "Kamera" },
  start: { en: "Start", de: "Starten" },
  retake: { en: "Retake", de: "Wiederholen" },
  stop: { en: "Stop", de: "Anhalten" },
  cameraNumber: { en: "Camera {number}", de: "Kamera {number}" },
  lookAgain: { en: "Look again", de: "Erneut suchen" },
  toFilms: { en: "To the films", de: "Zu den Aufnahmen" },
  noCamera: { en: "No camera found", de: "Keine Kamera gefunden" },
  noCameraText: {
    en: "Connect a camera, or open a photograph of the screen as a file.",
    de: "Kamera anschließen, oder ein Foto des Bildschirms als Datei öffnen.",
  },
  denied: { en: "The camera may not be used", de: "Die Kamera darf nicht benutzt werden" },
  deniedText: {
    en: "Allow the camera for this page in the system's or browser's settings.",
    de: "Erlauben Sie die Kamera für diese Seite in den Einstellungen des Systems oder Browsers.",
  },
  noPack: {
    en: "The pack for photographs of screens is not loaded",
    de: "Das Paket für Bildschirmfotos ist nicht geladen",
  },
  state_idle: { en: "Ready to start", de: "Bereit" },
  state_ready: { en: "Looking for the film …", de: "Suche die Aufnahme …" },
  state_continue: { en: "Hold still", de: "Ruhig halten" },
  state_complete: { en: "Done", de: "Fertig" },
  state_failed: { en: "No reading", de: "Keine Messung" },
  frames: { en: "Frame {count} of {most}", de: "Bild {count} von {most}" },
  good: { en: "{good} of {needed} good", de: "{good} von {needed} gut" },
  seconds: { en: "{seconds} s left", de: "noch {seconds} s" },
  frameGood: { en: "Good frame", de: "Gutes Bild" },
  frameBad: { en: "Not usable", de: "Nicht brauchbar" },
  cornersNone: { en: "Corners not in view", de: "Ecken nicht im Bild" },
  cornersFound: { en: "Corners found", de: "Ecken gefunden" },
  error_max_frames_exceeded: {
    en: "The frames are used up without three good ones.",
    de: "Die Bilder sind verbraucht, ohne drei gute.",
  },
  error_session_timeout: { en: "The session took too long.", de: "Die Sitzung dauerte zu lange." },
  error_max_consecutive_failures: {
    en: "Five frames in a row could not be used.",
    de: "Fünf Bilder hintereinander waren nicht brauchbar.",
  },
  advice: {
    en: "Come closer, avoid reflections, and keep the whole film in view.",
    de: "Näher herangehen, Spiegelungen vermeiden, die ganze Aufnahme im Bild halten.",
  },
  picture: { en: "Picture of the camera", de: "Bild der Kamera" },
} as const satisfies MessageTable;
