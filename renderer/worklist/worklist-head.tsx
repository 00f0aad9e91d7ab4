import { useRef, useState } from "react";
import { attempt } from "../state/faults.ts";
import { useFilms, useWorklist } from "../state/films/films.ts";
import { Icon } from "../ui/icon.tsx";
import { movesToResults } from "../ui/keys/shortcut-keys.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";
import { useText } from "../ui/language/language.ts";
import { KeyFilmsDialog } from "./key-films/key-films-dialog.tsx";
import { listedOrder } from "./list/use-listed-films.ts";
import { focusRow } from "./list/walk-rows.ts";
import { OpenMenu } from "./open-menu.tsx";
import { OrdersDialog } from "./orders/orders-dialog.tsx";
import { PacsDialog } from "./pacs/pacs-dialog.tsx";

export function WorklistHead({ onExport }: { readonly onExport: () => void }) {
  const text = useText();
  const { search } = useWorklist();
  const { setSearch } = useFilms.getState();
  const searchField = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<"pacs" | "orders" | "keyFilms" | null>(null);
  const close = () => setDialog(null);
  useCommands({ "films.search": () => searchField.current?.focus() });
  return (
    <>
      <header className="worklist-head">
        <div className="search">
          <Icon name="search" />
          <input
            ref={searchField}
            className="input"
            type="search"
            aria-label={text("films.searchFilms")}
            placeholder={text("common.search")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => movesToResults(event) && attempt(focusFirstHit)}
          />
        </div>
        <OpenMenu
          onExport={onExport}
          onSearch={() => setDialog("pacs")}
          onOrders={() => setDialog("orders")}
          onKeyFilms={() => setDialog("keyFilms")}
        />
      </header>
      {dialog === "pacs" && <PacsDialog onClose={close} />}
      {dialog === "keyFilms" && <KeyFilmsDialog onClose={close} />}
      {dialog === "orders" && <OrdersDialog onClose={close} />}
    </>
  );
}

async function focusFirstHit(): Promise<void> {
  // The latest input may not have been searched for yet.
  await useFilms.getState().load();
  const [first] = listedOrder();
  if (first !== undefined) focusRow(first);
}
