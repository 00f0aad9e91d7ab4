import type { Desktop } from "../ipc/desktop.ts";
import { namedByArguments } from "../services/import/named-by-arguments.ts";
import type { Log } from "../services/measuring/service-context.ts";

export type FileOpener = {
  /** @param args  command line; options are ignored, and so are files if there is a link */
  readonly openNamed: (args: readonly string[], workingDir: string) => void;
  readonly openFilms: (paths: readonly string[]) => void;
  readonly pending: () => readonly string[];
  /** Opens pending files and links; later ones are opened at once. */
  readonly start: (desktop: Desktop) => void;
  /** Keeps later files and links pending. */
  readonly stop: () => void;
};

export function createFileOpener(log: Log): FileOpener {
  let desktop: Desktop | null = null;
  const pending: string[] = [];
  const openFilms = (paths: readonly string[]) => {
    if (desktop === null) pending.push(...paths);
    else if (paths.length > 0) void desktop.openPaths(paths);
  };
  const openNamed = (args: readonly string[], workingDir: string) => {
    const { links, paths } = namedByArguments(args, workingDir);
    openFilms(paths);
    for (const link of links) {
      if (desktop === null) pending.push(link);
      else openLink(desktop, link, log);
    }
  };
  return {
    openNamed,
    openFilms,
    pending: () => pending,
    start(started) {
      desktop = started;
      for (const named of pending.splice(0)) openNamed([named], process.cwd());
    },
    stop() {
      desktop = null;
    },
  };
}

/** The page reports invalid links; failures of the store are only logged. */
function openLink(desktop: Desktop, link: string, log: Log): void {
  desktop
    .current()
    .openings.openLink(link)
    .catch((error: unknown) => log.error({ error }, "a link could not be opened"));
}
