import type { Film } from "../../core/contract/desktop/films.ts";
import { FilmPicture } from "../film/film-picture.tsx";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useFilms } from "../state/films/films.ts";
import { useNavigation } from "../state/navigation.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";

/** Maximum number of frames shown, as a damaged file may state any number. */
const offeredFrames = 600;

export function FrameDialog({
  film,
  frames,
  onClose,
}: {
  readonly film: Film;
  readonly frames: number;
  readonly onClose: () => void;
}) {
  const text = useText();
  const addFrame = async (frameIndex: number) => {
    const added = await call("films.addFrame", { filmId: film.id, frameIndex });
    useFilms.getState().receive(added.film);
    onClose();
    useNavigation.getState().leave(() => useFilms.getState().open(added.film.id));
  };
  return (
    <Dialog isOpen onClose={onClose} title={text("studies.chooseFrame")} description={film.fileName} isWide>
      <ol className="frame-grid">
        {Array.from({ length: Math.min(frames, offeredFrames) }, (_, index) => (
          <li key={index}>
            <button
              type="button"
              className="frame-choice"
              aria-current={index === film.frameIndex}
              onClick={() => attempt(() => addFrame(index))}
            >
              <FilmPicture url={`/app/films/${film.id}/frames/${index}`} isLazy />
              <span className="fine">{text("studies.frameOf", { frame: index + 1, frames })}</span>
            </button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
