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
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "named exports only" },
        {
          selector:
            "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length<2]",
          message: "waits one second only: use expect.poll, or name a time limit",
        },
      ],
      eqeqeq: "error",
    },
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["renderer/vite.config.ts"] } } },
  },
  {
    // The store is asynchronous: a promise that nobody awaits is a write that nobody knows of.
    files: ["main/**", "tools/**", "test/**", "preload/**", "renderer/**"],
    ignores: ["**/*.mjs"],
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
    },
  },
  { files: ["renderer/**"], plugins: { "react-hooks": reactHooks }, rules: reactHooks.configs.recommended.rules },
  { files: ["*.config.ts", "*.config.js", "renderer/vite.config.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["test/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
);
