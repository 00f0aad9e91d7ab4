import { useEffect, useState, type ComponentType } from "react";
import { Button } from "../ui/button.tsx";
import { Empty, Loading } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { useProgram } from "./program.ts";

/**
 * Loads a part of the page when it is first shown. Unlike React's `lazy`, which keeps a failure, it retries after a
 * reconnect and on request.
 */
export function later<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
  isQuiet = false,
): ComponentType<Props> {
  let Arrived: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const link = useProgram((state) => state.link);
    const [, setHere] = useState(Arrived !== null);
    const [isMissing, setMissing] = useState(false);
    const [round, setRound] = useState(0);
    useEffect(() => {
      if (Arrived) return;
      let isCurrent = true;
      bring().then(
        (part) => {
          Arrived = part;
          setHere(true);
        },
        (error: unknown) => {
          if (useProgram.getState().link === "live") console.error(error);
          if (isCurrent) setMissing(true);
        },
      );
      return () => {
        isCurrent = false;
      };
    }, [link, round]);
    if (Arrived) return <Arrived {...props} />;
    if (isQuiet) return null;
    return isMissing && link !== "offline" ? <Missing onRetry={() => setRound(round + 1)} /> : <Coming />;
  };
}

function Coming() {
  const text = useText();
  return <Loading label={text("common.loading")} />;
}

function Missing({ onRetry }: { readonly onRetry: () => void }) {
  const text = useText();
  return (
    <Empty icon="alert" title={text("common.crashTitle")}>
      <p>{text("common.crashText")}</p>
      <Button onClick={onRetry}>{text("common.retry")}</Button>
    </Empty>
  );
}
