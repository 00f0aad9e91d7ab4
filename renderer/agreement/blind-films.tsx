import type { Film } from "../../core/contract/desktop/films.ts";
import { isSampleFilm } from "../../core/sample-study.ts";
import { useFilms } from "../state/films/films.ts";
import { useReaderMode } from "../state/films/reader-mode.ts";
import { useNavigation } from "../state/navigation.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

const offered = 3;

/** The next undecided films to measure in reader mode, newest first; nothing without any. */
export function BlindFilms() {
  const text = useText();
  const format = useFormat();
  const go = useNavigation((state) => state.go);
  const { value } = useChannel("films.list", { standing: "undecided", order: "takenNewest", limit: 50 });
  const films = value?.films.filter((film) => film.reading?.vhs && film.hasImage && !isSampleFilm(film)) ?? [];
  if (films.length === 0) return null;
  const readBlind = ({ id }: Film) => {
    useReaderMode.setState({ isOn: true });
    useFilms.getState().open(id);
    go("films");
  };
  return (
    <section className="row no-print" aria-label={text("reader.offer")} data-testid="blind-films">
      <span className="quiet">{text("reader.offer")}</span>
      {films.slice(0, offered).map((film) => (
        <Button key={film.id} icon="ruler" onClick={() => readBlind(film)}>
          {`${film.patient?.name || film.fileName}, ${format.day(film.takenAt)}`}
        </Button>
      ))}
    </section>
  );
}
