import { useEffect } from "react";
import { useProgram } from "../state/program.ts";
import { isUnloaded, type PixelLoading } from "./pixel-loading.ts";

export function useReloadAfterReconnect(loading: PixelLoading, reload: () => void): void {
  useEffect(() => {
    if (!isUnloaded(loading)) return undefined;
    return useProgram.subscribe(({ link }, before) => {
      if (link === "live" && before.link !== "live") reload();
    });
  }, [loading, reload]);
}
