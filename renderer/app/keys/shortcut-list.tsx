import { useCallback, useState, type KeyboardEvent } from "react";
import { attempt } from "../../state/faults.ts";
import { useProgram } from "../../state/program.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { KeyboardCard } from "./keyboard-card.tsx";
import { Keys } from "../../ui/keys/keys.tsx";
import { useLanguage, useText } from "../../ui/language/language.ts";
import { displayKeys, keysOf } from "../../ui/keys/shortcut-keys.ts";
import {
  commandOf,
  commandsOf,
  shortcutGroups,
  shortcutTable,
  useCommands,
  useKeys,
  usualKeys,
  useShortcutKeys,
  type Command,
} from "../../ui/keys/shortcuts.ts";

const mouseRows = ["mouse_window", "mouse_pan", "mouse_zoom", "mouse_reset", "mouse_point"] as const;
const modifiers = ["Control", "Shift", "Alt", "Meta", "AltGraph"];

export function ShortcutList() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const endPrinting = useCallback(() => setPrinting(false), []);
  const save = useProgram((state) => state.save);
  const open = () => {
    setFault(null);
    setOpen(true);
  };
  useCommands({ "shortcuts.show": open });
  const change = (command: Command, keys: string) => {
    const { changed } = useShortcutKeys.getState();
    const owner = keys === "" ? null : commandOf(keys, changed);
    if (owner && owner !== command)
      return setFault(
        text("shortcuts.taken", {
          keys: displayKeys(keys, useLanguage.getState().language),
          command: text(shortcutTable[owner].message),
        }),
      );
    setFault(null);
    const rest = Object.fromEntries(Object.entries(changed).filter(([each]) => each !== command));
    attempt(() => save({ shortcuts: keys === usualKeys(command) ? rest : { ...rest, [command]: keys } }));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      // A row that waits for a key handles Escape itself.
      keepsEscape={() => document.activeElement?.matches(".keys-button[aria-pressed=true]") ?? false}
      isWide
      title={text("shortcuts.title")}
      description={text("shortcuts.description")}
      foot={
        <>
          {fault && (
            <p className="fault-text" role="alert">
              {fault}
            </p>
          )}
          <Button icon="print" onClick={() => setPrinting(true)}>
            {text("shortcuts.printCard")}
          </Button>
          <Button
            onClick={() => {
              setFault(null);
              attempt(() => save({ shortcuts: {} }));
            }}
          >
            {text("shortcuts.resetAll")}
          </Button>
        </>
      }
    >
      {isPrinting && <KeyboardCard onPrinted={endPrinting} />}
      <div className="shortcut-groups">
        {Object.entries(shortcutGroups).map(([group, heading]) => (
          <section key={group}>
            <h3>{text(heading)}</h3>
            {commandsOf(group).map((command) => (
              <ShortcutRow key={command} command={command} onChange={change} />
            ))}
          </section>
        ))}
        <section>
          <h3>{text("shortcuts.group_mouse")}</h3>
          {mouseRows.map((row) => (
            <p key={row} className="shortcut-row">
              {text(`shortcuts.${row}`)}
            </p>
          ))}
        </section>
      </div>
    </Dialog>
  );
}

function ShortcutRow({
  command,
  onChange,
}: {
  readonly command: Command;
  readonly onChange: (command: Command, keys: string) => void;
}) {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const keys = useKeys(command);
  const [isListening, setListening] = useState(false);
  const name = text(shortcutTable[command].message);
  const listen = (event: KeyboardEvent) => {
    if (!isListening || event.key === "Tab" || modifiers.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setListening(false);
    if (event.key !== "Escape" || command === "correct.leave")
      onChange(command, event.key === "Backspace" ? "" : keysOf(event));
  };
  return (
    <div className="shortcut-row">
      <span>{name}</span>
      <button
        type="button"
        className="keys-button"
        aria-label={text("shortcuts.change", {
          command: name,
          keys: isListening ? text("shortcuts.press") : keys ? displayKeys(keys, language) : text("shortcuts.noKeys"),
        })}
        aria-pressed={isListening}
        onClick={() => setListening(true)}
        onBlur={() => setListening(false)}
        onKeyDown={listen}
      >
        {/* Hidden, not removed: Radix's dialog takes the focus if a node is removed between blur and focus. */}
        <span className="quiet" hidden={!isListening}>
          {text("shortcuts.press")}
        </span>
        <span hidden={isListening}>
          {keys ? <Keys keys={keys} /> : <span className="quiet">{text("shortcuts.noKeys")}</span>}
        </span>
      </button>
    </div>
  );
}
