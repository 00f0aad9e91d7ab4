import type { ReactNode } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loading } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { isUnloaded, type PixelLoading } from "./pixel-loading.ts";

type FilmCoverProps = {
  readonly film: Film;
  readonly loading: PixelLoading;
  readonly onRetry: () => void;
  readonly children?: ReactNode;
};

/** Shows the film, or in its place the reason why it cannot be shown. */
export function FilmCover({ film, loading, onRetry, children = null }: FilmCoverProps) {
  const text = useText();
  if (film.hasImage && !isUnloaded(loading) && loading !== "loading") return children;
  return (
    <div className="stage-cover" data-theme="dark">
      {!film.hasImage ? (
        <Empty icon="films" title={text("faults.imageNotKept")} />
      ) : loading === "loading" ? (
        <Loading label={text("viewer.loadingFilm")} />
      ) : (
        <Empty icon="alert" title={text(loading === "missing" ? "viewer.fileMissing" : "viewer.loadFailed")}>
          {loading === "missing" && <p>{text("viewer.fileMissingText")}</p>}
          <Button icon="retry" onClick={onRetry}>
            {text("common.retry")}
          </Button>
        </Empty>
      )}
    </div>
  );
}
