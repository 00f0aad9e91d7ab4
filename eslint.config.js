import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The arrows of the house: which rooms a room may not import. */
const forbidden = (...rooms) => ({
  "no-restricted-imports": ["error", { patterns: rooms }],
});
const room = (name) => ({ group: [`**/${name}/**`], message: `this room must not import ${name}/` });
const electron = { group: ["electron"], message: "electron is imported in main/app and preload only" };
const node = { group: ["node:*", "fs", "path", "crypto"], message: "core has no Node" };

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "models/**", "coverage/**", "main/inference/views/kernel/**"] },
  ...tseslint.configs.strict,
  {
    files: ["**/*.ts", "**/*.tsx"],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "named exports only" }],
      eqeqeq: "error",
    },
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["renderer/vite.config.ts"] } } },
  },
  {
    files: ["core/**"],
    rules: forbidden(room("main"), room("tools"), room("preload"), room("renderer"), electron, node),
  },
  { files: ["main/**"], ignores: ["main/app/**"], rules: forbidden(room("preload"), room("renderer"), electron) },
  { files: ["main/app/**"], rules: forbidden(room("preload"), room("renderer")) },
  {
    files: ["main/services/**"],
    rules: forbidden(room("preload"), room("renderer"), room("server"), room("ipc"), room("app"), electron),
  },
  ...Object.entries({
    // Inference and DICOM use imaging's pictures; nothing else of these four leans on another.
    store: ["inference", "imaging", "dicom"],
    inference: ["store", "dicom"],
    imaging: ["store", "inference", "dicom"],
    dicom: ["store", "inference"],
    report: ["store", "inference", "imaging", "dicom"],
  }).map(([name, kept]) => ({
    files: [`main/${name}/**`],
    rules: forbidden(...["preload", "renderer", "server", "ipc", "app", "services", ...kept].map(room), electron),
  })),
  // What only those who build the program run. Nothing of the program leans on it.
  { files: ["tools/**"], rules: forbidden(room("preload"), room("renderer"), room("test"), electron) },
  { files: ["preload/**"], rules: forbidden(room("main"), room("renderer")) },
  { files: ["renderer/**"], rules: forbidden(room("main"), room("preload"), electron) },
  { files: ["renderer/**"], plugins: { "react-hooks": reactHooks }, rules: reactHooks.configs.recommended.rules },
  { files: ["*.config.ts", "*.config.js", "renderer/vite.config.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["test/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
);
