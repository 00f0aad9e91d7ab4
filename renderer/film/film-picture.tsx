import { useState } from "react";
import { useProgram } from "../state/program.ts";
import { Icon } from "../ui/icon.tsx";

/** A small picture of a film. One that could not be loaded is requested again after a reconnect. */
export function FilmPicture({ url, isLazy = false }: { readonly url: string | null; readonly isLazy?: boolean }) {
  const isLive = useProgram(({ link }) => link === "live");
  const [hasFailed, setFailed] = useState(false);
  const [wasLive, setWasLive] = useState(isLive);
  if (isLive !== wasLive) {
    setWasLive(isLive);
    setFailed(false);
  }
  if (url === null || hasFailed) return <Icon name="films" />;
  return <img key={url} src={url} alt="" loading={isLazy ? "lazy" : "eager"} onError={() => setFailed(true)} />;
}
