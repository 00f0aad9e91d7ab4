import "./help.css";
import { useEffect, useRef, useState } from "react";
import { useHelp, type HelpPage } from "../state/places/help.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";
import { ManualPage } from "./manual-page.tsx";
import { findPages, manualLanguageOf, readPage } from "./manual-texts.ts";

export function Manual({ page }: { readonly page: HelpPage }) {
  const text = useText();
  const { open, close } = useHelp();
  const shownLanguage = useLanguage((state) => state.language);
  const language = manualLanguageOf(shownLanguage);
  const [searched, setSearched] = useState("");
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is not a clean-up function.
    article.current?.scrollTo(0, 0);
  }, [page]);
  const found = findPages(searched, language);
  return (
    <Dialog isOpen onClose={close} isWide title={text("help.title")}>
      <div className="manual" lang={language}>
        <nav className="manual-contents" aria-label={text("help.contents")}>
          <input
            className="input"
            type="search"
            aria-label={text("help.search")}
            placeholder={text("common.search")}
            value={searched}
            onChange={(event) => setSearched(event.target.value)}
          />
          {found.map((each) => (
            <button
              key={each.page}
              type="button"
              className="manual-entry"
              aria-current={each.page === page ? "page" : undefined}
              onClick={() => open(each.page)}
            >
              {each.title}
            </button>
          ))}
          {found.length === 0 && <p className="quiet fine">{text("common.nothingFound")}</p>}
        </nav>
        <article ref={article} className="manual-page" tabIndex={0} aria-label={text("help.page")}>
          {language !== shownLanguage && (
            <p className="quiet fine" lang={shownLanguage}>
              {text("help.inEnglish")}
            </p>
          )}
          <ManualPage tokens={readPage(page, language)} onFollow={open} />
        </article>
      </div>
    </Dialog>
  );
}
