import path from "node:path";
import { mergeConfig } from "vitest/config";
import tests from "../../vitest.config.ts";

const mutation = JSON.parse(process.env["CORVET_MUTATION"] ?? "null");
const file = mutation && path.join(import.meta.dirname, "..", "..", mutation.file);

export default mergeConfig(tests, {
  plugins: [
    {
      name: "mutation",
      enforce: "pre",
      transform: (source, id) =>
        id === file ? source.slice(0, mutation.from) + mutation.text + source.slice(mutation.to) : null,
    },
  ],
});
