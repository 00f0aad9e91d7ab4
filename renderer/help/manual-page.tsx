import type { ReactNode } from "react";
import type { Token, Tokens } from "marked";
import type { HelpPage } from "../state/places/help.ts";
import { useLanguage } from "../ui/language/language.ts";
import { manualLanguageOf, pageOfLink, urlOfPicture } from "./manual-texts.ts";

type Follow = (page: HelpPage) => void;

/** Renders known syntax only: HTML is shown as text, and only links to other pages work. */
export function ManualPage({ tokens, onFollow }: { readonly tokens: readonly Token[]; readonly onFollow: Follow }) {
  return <>{tokens.map((token, index) => block(token as Tokens.Generic, index, onFollow))}</>;
}

function block(token: Tokens.Generic, key: number, onFollow: Follow): ReactNode {
  const inside = () => inline(token.tokens, onFollow);
  switch (token.type) {
    case "heading":
      return token["depth"] === 1 ? <h2 key={key}>{inside()}</h2> : <h3 key={key}>{inside()}</h3>;
    case "paragraph":
      return token.tokens?.length === 1 && token.tokens[0]?.type === "image" ? (
        <Picture key={key} image={token.tokens[0] as Tokens.Image} />
      ) : (
        <p key={key}>{inside()}</p>
      );
    case "list": {
      const { ordered, items } = token as Tokens.List;
      const rows = items.map((item, index) => (
        <li key={index}>
          <ListItem item={item} onFollow={onFollow} />
        </li>
      ));
      return ordered ? <ol key={key}>{rows}</ol> : <ul key={key}>{rows}</ul>;
    }
    case "table":
      return <Table key={key} table={token as Tokens.Table} onFollow={onFollow} />;
    case "space":
      return null;
    default:
      return <p key={key}>{token.raw}</p>;
  }
}

function ListItem({ item, onFollow }: { readonly item: Tokens.ListItem; readonly onFollow: Follow }) {
  return item.tokens.map((token, index) =>
    token.type === "text" ? inline(token.tokens, onFollow) : block(token as Tokens.Generic, index, onFollow),
  );
}

function Table({ table, onFollow }: { readonly table: Tokens.Table; readonly onFollow: Follow }) {
  return (
    <table className="grid-table">
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index}>{inline(cell.tokens, onFollow)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{inline(cell.tokens, onFollow)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Picture({ image: { href, text } }: { readonly image: Tokens.Image }) {
  const language = useLanguage((state) => manualLanguageOf(state.language));
  const url = urlOfPicture(href, language);
  return (
    <figure>
      {url && <img src={url} alt="" loading="lazy" />}
      <figcaption className="quiet fine">{text}</figcaption>
    </figure>
  );
}

function inline(tokens: readonly Token[] | undefined, onFollow: Follow): ReactNode {
  return tokens?.map((each, key) => {
    const token = each as Tokens.Generic;
    const inside = () => inline(token.tokens, onFollow);
    switch (token.type) {
      case "strong":
        return <strong key={key}>{inside()}</strong>;
      case "em":
        return <em key={key}>{inside()}</em>;
      case "codespan":
        return <code key={key}>{token["text"] as string}</code>;
      case "link": {
        const page = pageOfLink(String(token["href"]));
        if (page === null) return <span key={key}>{inside()}</span>;
        return (
          <button key={key} type="button" className="manual-link" onClick={() => onFollow(page)}>
            {inside()}
          </button>
        );
      }
      case "text":
        return token.tokens ? <span key={key}>{inside()}</span> : (token["text"] as string);
      default:
        return token.raw;
    }
  });
}
