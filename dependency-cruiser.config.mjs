/**
 * The arrows of the house: who may import whom. ARCHITECTURE.md draws them, `npm run lint` holds them.
 * Paths are regular expressions over files relative to the root.
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** What every feature of the page may use; features never use each other. `app` puts them together. */
const pageRooms = {
  ui: "^(core|renderer/ui)/",
  state: "^(core|renderer/(ui|state))/",
  film: "^(core|renderer/(ui|state|film))/",
  patients: "^(core|renderer/(ui|state|film|patients))/",
};
const everyFeature = "core|renderer/ui|renderer/state|renderer/film|renderer/patients";

/** Rooms of main/services, each with the rooms beneath it that it may use. */
const serviceRooms = {
  measuring: [],
  calls: ["measuring"],
  desktop: ["measuring"],
  people: ["measuring", "desktop"],
  worklist: ["measuring", "calls", "desktop"],
  import: ["measuring", "desktop", "worklist"],
  results: ["measuring", "desktop", "worklist"],
  network: ["measuring", "desktop", "worklist", "import", "results"],
  practice: ["measuring", "desktop", "worklist", "import", "results"],
  program: ["measuring", "calls", "desktop", "worklist", "import"],
  privacy: ["measuring", "calls", "desktop", "worklist", "results", "network", "program"],
  sample: ["desktop", "worklist", "privacy"],
  updates: ["desktop"],
};

/** Rooms of main under the services, each with the rooms of main that it may use. */
const lowerRooms = {
  workers: [],
  store: ["workers", "certificates"],
  imaging: [],
  report: ["imaging", "workers"],
  inference: ["imaging", "workers"],
  dicom: ["imaging", "workers", "certificates"],
  certificates: [],
};

const inMain = (rooms) => `^(core/|main/(program|instance-lock)\\.ts$|main/(${rooms.join("|")})/)`;

export default {
  forbidden: [
    rule("no-circle", "two files that need each other are one file, or hide a third", {}, { circular: true }),
    rule(
      "core-is-pure",
      "core imports itself and zod",
      { path: "^core/", pathNot: "^core/language/say\\.ts$" },
      { pathNot: "^(core/|node_modules/zod/)" },
    ),
    rule(
      "one-formatter-of-texts",
      "one file knows the library behind the texts",
      { path: "^core/language/say\\.ts$" },
      { pathNot: "^(core/language/|node_modules/intl-messageformat/)" },
    ),
    rule(
      "rooms-meet-in-core",
      "main, preload and renderer meet in core only",
      { path: "^(main|preload|renderer)/" },
      { path: "^(main|preload|renderer|tools|test)/", pathNot: "^$1/" },
    ),
    rule(
      "tools-lean-on-the-program",
      "tools may use the program, not its page",
      { path: "^tools/" },
      { path: "^(preload|renderer|test)/" },
    ),
    rule(
      "networks-in-their-threads",
      "no network runs on the event loop: only network threads load the packs' sessions",
      { path: "^main/", pathNot: "^main/inference/(threads/network-(thread|session)|packs/loaded-pack)\\.ts$" },
      {
        path: "^main/inference/(threads/network-session|packs/loaded-pack)\\.ts$|(^|/)onnxruntime-node/",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "electron-in-its-adapter",
      "everything else runs and is tested under plain Node",
      { pathNot: "^(main/app|preload)/" },
      { path: "(^|/)electron(/|$)" },
    ),
    rule(
      "commands-are-tops",
      "nothing leans on a command",
      { path: "^main/", pathNot: "^main/(commands/|headless\\.ts$)" },
      { path: "^main/commands/" },
    ),
    rule(
      "services-know-no-transport",
      "app and ipc and server call services, never the other way round",
      { path: "^main/services/" },
      { path: "^main/(app|ipc|server|commands|compos(e\\.ts|ition/)|headless\\.ts)" },
    ),
    rule(
      "transports-apart",
      "ipc and server know neither each other nor the app",
      { path: "^main/(ipc|server)/" },
      { path: "^main/(app|ipc|server)/", pathNot: "^main/$1/" },
    ),
    rule(
      "one-composition-root",
      "only compose.ts puts the program together",
      { path: "^main/", pathNot: "^main/(compose\\.ts$|composition/)" },
      { path: "^main/composition/" },
    ),
    ...Object.entries(serviceRooms).map(([room, beneath]) =>
      rule(
        `services-${room}`,
        `of the services' rooms, ${room} uses ${beneath.join(", ") || "none"}`,
        { path: `^main/services/${room}/` },
        { path: "^main/services/", pathNot: `^main/services/(${[room, ...beneath].join("|")})/` },
      ),
    ),
    ...Object.entries(lowerRooms).map(([room, beneath]) =>
      rule(
        `main-${room}`,
        `of main's rooms, ${room} uses ${beneath.join(", ") || "none"}`,
        { path: `^main/${room}/` },
        { path: "^main/", pathNot: inMain([room, ...beneath]) },
      ),
    ),
    rule(
      "page-features-apart",
      "features of the page use ui, state, film and patients, never each other",
      { path: "^renderer/([^/]+)/", pathNot: "^renderer/(app|ui|state|film|patients)/" },
      { path: "^(core|renderer)/", pathNot: `^(${everyFeature}|renderer/$1)/` },
    ),
    ...Object.entries(pageRooms).map(([room, allowed]) =>
      rule(
        `page-${room}`,
        `what ${room} may use`,
        { path: `^renderer/${room}/` },
        { path: "^(core|renderer)/", pathNot: allowed },
      ),
    ),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" }, exclude: { path: "^dist/" } },
};
