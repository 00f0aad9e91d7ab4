/** A library linked into another library's binary, unknown to package managers. */
type Part = { readonly name: string; readonly version: string; readonly licence: string };

/** @see wasm/lib of github.com/PantelisGeorgiadis/dcmjs-codecs at v0.0.8 */
const codecs: readonly Part[] = [
  { name: "better-enums", version: "0.11.3", licence: "BSD-2-Clause" },
  { name: "Brotli", version: "1.2.0", licence: "MIT" },
  { name: "CharLS", version: "2.3.4", licence: "BSD-3-Clause" },
  { name: "Highway", version: "1.2.0", licence: "Apache-2.0 OR BSD-3-Clause" },
  { name: "libjpeg", version: "6b", licence: "IJG" },
  { name: "libjxl", version: "0.11.2", licence: "BSD-3-Clause" },
  { name: "OpenJPEG", version: "2.5.0", licence: "BSD-2-Clause" },
  { name: "OpenJPH", version: "0.18.2", licence: "BSD-2-Clause" },
  { name: "skcms", version: "2025_09_16", licence: "BSD-3-Clause" },
];

/** Linked into libvips, which sharp loads. @see node_modules/@img/sharp-libvips-*, versions.json and README.md */
const images: readonly Part[] = [
  { name: "aom", version: "3.15.1", licence: "BSD-2-Clause AND AOM Patent License 1.0" },
  { name: "cairo", version: "1.18.6", licence: "MPL-1.1" },
  { name: "cgif", version: "0.5.4", licence: "MIT" },
  { name: "expat", version: "2.8.5", licence: "MIT" },
  { name: "fontconfig", version: "2.18.3", licence: "fontconfig License" },
  { name: "freetype", version: "2.14.3", licence: "FTL" },
  { name: "fribidi", version: "1.0.17", licence: "LGPL-3.0-or-later" },
  { name: "glib", version: "2.90.0", licence: "LGPL-3.0-or-later" },
  { name: "harfbuzz", version: "14.5.0", licence: "MIT" },
  { name: "highway", version: "1.4.0", licence: "BSD-3-Clause" },
  { name: "lcms", version: "2.19.1", licence: "MIT" },
  { name: "libarchive", version: "3.8.9", licence: "BSD-2-Clause" },
  { name: "libexif", version: "0.6.26", licence: "LGPL-3.0-or-later" },
  { name: "libffi", version: "3.8.0", licence: "MIT" },
  { name: "libheif", version: "1.23.5", licence: "LGPL-3.0-or-later" },
  { name: "libimagequant", version: "2.4.1", licence: "BSD-2-Clause" },
  { name: "libnsgif", version: "8.18.7", licence: "MIT" },
  { name: "libpng", version: "1.6.58", licence: "libpng-2.0" },
  { name: "librsvg", version: "2.63.2", licence: "LGPL-3.0-or-later" },
  { name: "libtiff", version: "4.7.2", licence: "libtiff" },
  { name: "libultrahdr", version: "2.0.2", licence: "MIT" },
  { name: "libvips", version: "8.18.7", licence: "LGPL-3.0-or-later" },
  { name: "libwebp", version: "1.6.0", licence: "BSD-3-Clause" },
  { name: "libxml2", version: "2.15.4", licence: "MIT" },
  { name: "mozjpeg", version: "0826579", licence: "Zlib AND IJG AND BSD-3-Clause" },
  { name: "pango", version: "1.58.2", licence: "LGPL-3.0-or-later" },
  { name: "pixman", version: "0.46.4", licence: "MIT" },
  { name: "proxy-libintl", version: "0.5", licence: "LGPL-3.0-or-later" },
  { name: "zlib-ng", version: "2.3.3", licence: "Zlib" },
];

const built: Readonly<Record<string, readonly Part[]>> = {
  "better-sqlite3": [{ name: "SQLite", version: "3.54.1", licence: "public domain" }],
  "better-sqlite3-multiple-ciphers": [
    { name: "SQLite", version: "3.53.4", licence: "public domain" },
    { name: "SQLite3MultipleCiphers", version: "2.4.0", licence: "MIT" },
  ],
  "dcmjs-codecs": codecs,
  sharp: images,
};

export function partsInside(library: string): readonly Part[] {
  return built[library] ?? [];
}
