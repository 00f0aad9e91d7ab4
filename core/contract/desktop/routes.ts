/**
 * Routes for bytes, on the page's own origin with both transports. They answer JSON in the shape of a channel's answer,
 * but for the images named by `film.urls`: `pixels` is raw grey, row-major, `X-Width` x `X-Height` samples of `X-Bits`
 * bits (8, or 16 little-endian).
 */
export const desktopRoutes = {
  /**
   * `PUT ?name=FILE&origin=file|paste&within=folder`, body: the file or a ZIP. `within` when it came out of a folder.
   * `dropped`: when the files were dropped that it is one of [ms UTC], `place`: its place among them, from 0.
   * Answers `openedFiles`.
   */
  addFilm: "/app/films",
  /** `PUT ?session=ID`, body: JPEG. Answers `captureSession`. */
  captureFrame: "/app/capture/frames",
  /** `PUT`, body: JPEG. Answers `captureCorners`. */
  captureCorners: "/app/capture/corners",
  /** `PUT`, body: ZIP of a pack folder. Answers the response of `packs.list`. */
  importPack: "/app/packs",
  /** `POST ?upload=ID`: cancels the upload whose `uploadHeader` has this ID (Electron only, where no abort arrives). */
  cancelUpload: "/app/cancelled-uploads",
  /**
   * `GET`: Server-Sent Events, one JSON DesktopEvent per `data` line (browser only; in Electron `bridge.subscribe`).
   */
  events: "/app/events",
  /** `POST /app/call/<channel>`, body: the request as JSON (browser only). */
  call: "/app/call",
  /**
   * `POST {link}`, `{target}` or `{paths}`, `PUT ?name=FILE` with a film: from a command line of the same user, who can
   * read the token of `hand-over-token`. Never from a page.
   */
  handOver: "/app/hand-over",
  /** `POST {token}`: exchanges the one-time token of the printed address for the session cookie (browser only). */
  signIn: "/app/sign-in",
} as const;

/** Maximum size of a film's file, and of a ZIP with films [bytes]. */
export const filmSizeLimitBytes = 256 * 1024 * 1024;

export const uploadHeader = "x-corvet-upload";
