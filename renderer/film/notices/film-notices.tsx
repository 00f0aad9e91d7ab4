import type { Film } from "../../../core/contract/desktop/films.ts";
import { failureInWords } from "../../../core/language/failure-in-words.ts";
import { Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";

export function FilmNotices({ film }: { readonly film: Film }) {
  const text = useText();
  const notices = film.dicom?.notices ?? [];
  if (notices.length === 0) return null;
  return (
    <Notice tone="review">
      <ul className="review-reasons" data-testid="film-notices">
        {notices.map((reason) => {
          const words = failureInWords({ code: "INVALID_DICOM", reason }, text);
          return <li key={words}>{words}</li>;
        })}
      </ul>
    </Notice>
  );
}
