/**
 * Allowed imports between folders, as in the diagram of ARCHITECTURE.md; checked by `npm run lint`. Paths are regular
 * expressions on file names relative to the root.
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** Shared folders of the page, each with the paths that it may import. Only `app` imports the other features. */
const pageFolders = {
  ui: "^(core|renderer/ui)/",
  state: "^(core|renderer/(ui|state))/",
  film: "^(core|renderer/(ui|state|film))/",
  patients: "^(core|renderer/(ui|state|film|patients))/",
};
const sharedByFeatures = "core|renderer/ui|renderer/state|renderer/film|renderer/patients";

/** Folders of main/services, each with the folders there that it may import. All may import the files beside them. */
const serviceFolders = {
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

/** Folders of main below the services, each with the folders of main that it may import. */
const lowerFolders = {
  workers: [],
  store: ["workers", "certificates"],
  imaging: [],
  report: ["imaging", "workers"],
  inference: ["imaging", "workers"],
  dicom: ["imaging", "workers", "certificates"],
  certificates: [],
};

const inMain = (folders) => `^(core/|main/(program|instance-lock)\\.ts$|main/(${folders.join("|")})/)`;

export default {
  forbidden: [
    rule("no-cycle", "no import cycles", {}, { circular: true }),
    rule(
      "core-is-pure",
      "core imports only core and zod",
      { path: "^core/", pathNot: "^core/language/say\\.ts$" },
      { pathNot: "^(core/|node_modules/zod/)" },
    ),
    rule(
      "one-message-formatter",
      "only say.ts imports the message library",
      { path: "^core/language/say\\.ts$" },
      { pathNot: "^(core/language/|node_modules/intl-messageformat/)" },
    ),
    rule(
      "processes-share-core",
      "main, preload and renderer share only core",
      { path: "^(main|preload|renderer)/" },
      { path: "^(main|preload|renderer|tools|test)/", pathNot: "^$1/" },
    ),
    rule(
      "tools-without-page",
      "tools import core and main, not the page",
      { path: "^tools/" },
      { path: "^(preload|renderer|test)/" },
    ),
    rule(
      "networks-in-their-threads",
      "only network threads load the sessions of packs",
      { path: "^main/", pathNot: "^main/inference/(threads/network-(thread|session)|packs/loaded-pack)\\.ts$" },
      {
        path: "^main/inference/(threads/network-session|packs/loaded-pack)\\.ts$|(^|/)onnxruntime-node/",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "electron-only-in-app",
      "only main/app and preload import electron; everything else runs in Node",
      { pathNot: "^(main/app|preload)/" },
      { path: "(^|/)electron(/|$)" },
    ),
    rule(
      "commands-not-imported",
      "no other code imports a command",
      { path: "^main/", pathNot: "^main/(commands/|headless\\.ts$)" },
      { path: "^main/commands/" },
    ),
    rule(
      "services-without-transport",
      "services import no transport",
      { path: "^main/services/" },
      { path: "^main/(app|ipc|server|commands|compos(e\\.ts|ition/)|headless\\.ts)" },
    ),
    rule(
      "transports-independent",
      "ipc and server import neither each other nor the app",
      { path: "^main/(ipc|server)/" },
      { path: "^main/(app|ipc|server)/", pathNot: "^main/$1/" },
    ),
    rule(
      "one-composition-root",
      "only compose.ts imports the composition",
      { path: "^main/", pathNot: "^main/(compose\\.ts$|composition/)" },
      { path: "^main/composition/" },
    ),
    ...Object.entries(serviceFolders).map(([folder, allowed]) =>
      rule(
        `services-${folder}`,
        `of the services, ${folder} may import ${allowed.join(", ") || "none"}`,
        { path: `^main/services/${folder}/` },
        { path: "^main/services/.+/", pathNot: `^main/services/(${[folder, ...allowed].join("|")})/` },
      ),
    ),
    ...Object.entries(lowerFolders).map(([folder, allowed]) =>
      rule(
        `main-${folder}`,
        `of main, ${folder} may import ${allowed.join(", ") || "none"}`,
        { path: `^main/${folder}/` },
        { path: "^main/", pathNot: inMain([folder, ...allowed]) },
      ),
    ),
    rule(
      "page-features-independent",
      "features of the page import ui, state, film and patients, not each other",
      { path: "^renderer/([^/]+)/", pathNot: "^renderer/(app|ui|state|film|patients)/" },
      { path: "^(core|renderer)/", pathNot: `^(${sharedByFeatures}|renderer/$1)/` },
    ),
    ...Object.entries(pageFolders).map(([folder, allowed]) =>
      rule(
        `page-${folder}`,
        `${folder} imports only ${allowed}`,
        { path: `^renderer/${folder}/` },
        { path: "^(core|renderer)/", pathNot: allowed },
      ),
    ),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" }, exclude: { path: "^dist/" } },
};
