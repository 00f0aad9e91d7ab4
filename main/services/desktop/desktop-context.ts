import type { DesktopEvent } from "../../../core/contract/desktop.ts";
import type { Secrets } from "./secrets.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import type { DecodedFilm } from "../measuring/decoded-film.ts";

export type DesktopContext = ServiceContext & {
  readonly publish: (event: DesktopEvent) => void;
  readonly secrets: Secrets;
  readonly decodedFilm: DecodedFilm;
};
