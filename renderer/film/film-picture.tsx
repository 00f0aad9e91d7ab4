import { useState } from "react";
import { useProgram } from "../state/program.ts";
import { Icon } from "../ui/icon.tsx";

export function FilmPicture({ url, isLazy = false }: { readonly url: string | null; readonly isLazy?: boolean }) {
  const isLive = useProgram(({ link }) => link === "live");
  const [hasFailed, setFailed] = useState(false);
  const [wasLive, setWasLive] = useState(isLive);
  if (isLive !== wasLive) {
    setWasLive(isLive);
    setFailed(false);
  }
  if (url === null || hasFailed) return <Icon name="films" />;
  const loading = isLazy ? "lazy" : "eager";
  // The browser would treat a dragged picture as a file dropped on the window.
  return <img key={url} src={url} alt="" draggable={false} loading={loading} onError={() => setFailed(true)} />;
}
