/**
 * Routes for binary data, on the page's own origin with both transports. They return JSON like a channel, except for
 * the images named by `film.urls`: `pixels` is raw grey, row-major, `X-Width` x `X-Height` samples of `X-Bits` bits (8,
 * or 16 little-endian).
 */
export const desktopRoutes = {
  /**
   * `PUT ?name=FILE&origin=file|paste&within=folder`, body: the file or a ZIP. `within` is set if the file comes from a
   * folder. `dropped`: time at which its group of files was dropped [UTC ms]; `place`: its position in the group, from
   * 0. Returns `openedFiles`.
   */
  addFilm: "/app/films",
  /** `PUT ?session=ID`, body: JPEG. Returns `captureSession`. */
  captureFrame: "/app/capture/frames",
  /** `PUT`, body: JPEG. Returns `captureCorners`. */
  captureCorners: "/app/capture/corners",
  /** `PUT`, body: ZIP of a pack folder. Returns the response of `packs.list`. */
  importPack: "/app/packs",
  /** `POST ?upload=ID`: cancels an upload. For Electron, where aborting the request does not reach the server. */
  cancelUpload: "/app/cancelled-uploads",
  /** `GET`: Server-Sent Events, one JSON `DesktopEvent` per `data` line. For browsers. */
  events: "/app/events",
  /** `POST /app/call/<channel>`, body: the request as JSON. For browsers. */
  call: "/app/call",
  /** `POST {link}`, `{target}` or `{paths}`, or `PUT ?name=FILE`: for a command line of the same user, with a token. */
  runningProgram: "/app/running-program",
  /** `POST {token}`: exchanges the one-time token of the printed address for the session cookie. For browsers. */
  signIn: "/app/sign-in",
} as const;

/** Maximum size of a film's file, and of a ZIP with films [bytes]. */
export const filmSizeLimitBytes = 256 * 1024 * 1024;

export const uploadHeader = "x-corvet-upload";
