import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const renderer = fileURLToPath(new URL("../../renderer/", import.meta.url));
/** What every feature may use; features never use each other. `app` puts them together. */
const shared: Readonly<Record<string, readonly string[]>> = {
  ui: ["core"],
  state: ["core", "ui"],
  film: ["core", "ui", "state"],
  patients: ["core", "ui", "state"],
};
const everyFeature = ["core", "ui", "state", "film", "patients"];

const rooms = readdirSync(renderer, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "public" && entry.name !== "app")
  .map(({ name }) => name);

test.each(rooms)("%s imports only what it may", (room) => {
  const allowed = new Set([room, ...(shared[room] ?? everyFeature)]);
  const folder = path.join(renderer, room);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, target = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const imported = path
        .relative(path.dirname(renderer), path.resolve(path.dirname(path.join(folder, file)), target))
        .split(path.sep);
      const from = imported[0] === "renderer" ? imported[1] : imported[0];
      expect(`${room}/${file} imports ${allowed.has(from ?? "") ? "what it may" : from}`).toBe(
        `${room}/${file} imports what it may`,
      );
    }
  }
});
