import { useEffect, useState } from "react";
import { attempt } from "../state/faults.ts";
import { useFilms } from "../state/films/films.ts";
import { useLeftAlone } from "../state/transfers/left-alone.ts";
import { useNavigation } from "../state/navigation.ts";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { isTyping } from "../ui/keys/shortcut-keys.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { filesOfClipboard, filesOfDrop, type Collected } from "./collect-files.ts";

export function useAddFiles(): (collected: Collected, origin: "file" | "paste") => void {
  const text = useText();
  return ({ files, ...leftAlone }, origin) => {
    if (!useFilms.getState().opening) useLeftAlone.getState().begin();
    useLeftAlone.getState().add(leftAlone);
    if (files.length === 0) showToast("note", text("films.noImages"));
    else {
      const { screen, go } = useNavigation.getState();
      if (screen !== "films") go("films");
      attempt(() => useFilms.getState().add(files, origin));
    }
  };
}

export function DropZone() {
  const text = useText();
  const addFiles = useAddFiles();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) setOver(++depth > 0);
    };
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) setOver((depth = Math.max(0, depth - 1)) > 0);
    };
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const { dataTransfer } = event;
      if (dataTransfer && hasFiles(event)) attempt(async () => addFiles(await filesOfDrop(dataTransfer), "file"));
    };
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !event.clipboardData?.files.length) return;
      event.preventDefault();
      addFiles(filesOfClipboard(event.clipboardData, new Date()), "paste");
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop, paste } as const;
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener);
    };
  });
  if (!isOver) return null;
  return (
    <div className="drop-zone">
      <Icon name="films" />
      <strong>{text("common.dropTitle")}</strong>
      <span>{text("common.dropText")}</span>
    </div>
  );
}
