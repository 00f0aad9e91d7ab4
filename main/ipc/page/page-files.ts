import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pageHeaders } from "./page-policy.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

type PageFiles = (urlPath: string) => Response;

/**
 * Reads the files of the built page into memory, so that requests cannot reach any other file.
 *
 * @param folder  folder of the built page
 */
export function readPageFiles(folder: string): PageFiles {
  const files = new Map(
    listFiles(folder).map((file) => [`/${file.split(path.sep).join("/")}`, readFileSync(path.join(folder, file))]),
  );
  return (urlPath) => {
    const name = urlPath === "/" ? "/index.html" : urlPath;
    const bytes = files.get(name);
    if (bytes)
      return new Response(new Uint8Array(bytes), {
        headers: { ...pageHeaders, "content-type": mediaTypeOf(name), "cache-control": cachingOf(name) },
      });
    const message = files.size === 0 ? "The page has not been built. Run: npm run build" : "Not found";
    return new Response(`${message}\n`, {
      status: files.size === 0 ? 503 : 404,
      headers: { ...pageHeaders, "content-type": "text/plain; charset=utf-8" },
    });
  };
}

export function isPageBuilt(folder: string): boolean {
  return existsSync(path.join(folder, "index.html"));
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".map"))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function mediaTypeOf(name: string): string {
  return mediaTypes[path.extname(name)] ?? "application/octet-stream";
}

/** Names below /assets contain a hash of the content. */
function cachingOf(name: string): string {
  return name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}
