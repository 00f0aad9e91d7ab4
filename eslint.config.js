import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "models/**", "coverage/**"] },
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
  { files: ["renderer/**"], plugins: { "react-hooks": reactHooks }, rules: reactHooks.configs.recommended.rules },
  { files: ["*.config.ts", "*.config.js", "renderer/vite.config.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["test/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
);
