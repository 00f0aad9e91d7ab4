import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";

/** Lines of a file that have statements, from 1, and whether any of them ran. */
export type FileLines = Map<number, boolean>;

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };
type Script = { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] };
type PageScript = Script & { readonly source?: string };

type Statements = {
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  readonly s: Readonly<Record<string, number>>;
};

export function linesOfWorkers(folder: string): Map<string, FileLines> {
  const report = JSON.parse(readFileSync(path.join(folder, "coverage-final.json"), "utf8")) as object;
  return new Map(Object.entries(report).map(([file, statements]) => [file, linesOf(statements as Statements)]));
}

function linesOf({ statementMap, s: counts }: Statements): FileLines {
  const lines: FileLines = new Map();
  for (const [id, { start }] of Object.entries(statementMap))
    lines.set(start.line, lines.get(start.line) === true || (counts[id] ?? 0) > 0);
  return lines;
}

/** Adds the coverage of other processes. Node strips types without moving code, so offsets are those of the source. */
export function addProcesses(files: Map<string, FileLines>, folder: string): void {
  for (const { url, functions } of scriptsIn<Script>(folder, "result")) {
    const lines = url.startsWith("file://") ? files.get(fileURLToPath(url)) : undefined;
    if (!lines) continue;
    const text = readFileSync(fileURLToPath(url), "utf8").split("\n");
    let start = 0;
    for (const [index, content] of text.entries()) {
      const offset = start + content.length - content.trimStart().length;
      if (lines.get(index + 1) === false && hasRun(functions, offset)) lines.set(index + 1, true);
      start += content.length + 1;
    }
  }
}

/** Adds the coverage of the page, using the source maps of its build. */
export function addPages(files: Map<string, FileLines>, folder: string, pageDir: string): void {
  for (const { url, source = "", functions } of scriptsIn<PageScript>(folder, "scripts")) {
    const file = path.join(pageDir, new URL(url).pathname);
    if (!file.endsWith(".js")) continue;
    const starts = [...source.matchAll(/^/gm)].map(({ index }) => index);
    const map = new TraceMap(readFileSync(`${file}.map`, "utf8"));
    eachMapping(map, ({ generatedLine, generatedColumn, source: from, originalLine }) => {
      const lines = from === null ? undefined : files.get(path.join(path.dirname(file), from));
      if (!lines || originalLine === null || lines.get(originalLine) !== false) return;
      if (hasRun(functions, (starts[generatedLine - 1] ?? 0) + generatedColumn)) lines.set(originalLine, true);
    });
  }
}

function scriptsIn<Each>(folder: string, member: string): Each[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.flatMap((name) => (JSON.parse(readFileSync(path.join(folder, name), "utf8")) as never)[member] as Each[]);
}

/** Whether the innermost range around an offset ran. */
function hasRun(functions: Script["functions"], offset: number): boolean {
  let innermost: Range | null = null;
  for (const { ranges } of functions)
    for (const range of ranges) {
      const isAround = range.startOffset <= offset && offset < range.endOffset;
      const isInner = innermost === null || range.endOffset - range.startOffset <= innermost.endOffset - innermost.startOffset;
      if (isAround && isInner) innermost = range;
    }
  return innermost !== null && innermost.count > 0;
}
