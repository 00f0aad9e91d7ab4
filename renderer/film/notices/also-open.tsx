import type { OpenElsewhere } from "../../../core/contract/desktop/films.ts";
import type { Say } from "../../../core/language/say.ts";
import { useOpenElsewhere } from "../../state/films/open-elsewhere.ts";
import { Icon } from "../../ui/icon.tsx";
import { useText } from "../../ui/language/language.ts";

export function AlsoOpen({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const others = useOpenElsewhere(filmId);
  if (others.length === 0) return null;
  const places = [...new Set(others.map((film) => placeOf(film, text)))].join(", ");
  return (
    <span className="also-open quiet fine" data-testid="also-open">
      <Icon name="eye" />
      {text("films.alsoOpen", { places })}
    </span>
  );
}

function placeOf({ who, machine }: OpenElsewhere, text: Say): string {
  if (machine === null) return who === null ? text("films.otherWindow") : text("films.whoInOtherWindow", { who });
  return who === null ? machine : text("films.whoAtMachine", { who, machine });
}
