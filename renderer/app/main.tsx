import "../ui/styles/base.css";
import "../ui/styles/controls.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Tooltip } from "radix-ui";
import { setConnection } from "../state/connection.ts";
import { bridgeConnection } from "./connection/bridge-connection.ts";
import { httpConnection, signIn } from "./connection/http-connection.ts";
import { Shell } from "./shell.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");

if (window.corvet) setConnection(bridgeConnection(window.corvet));
else {
  setConnection(httpConnection);
  // Without the program the page says so by itself; there is nothing better to do with the failure here.
  await signIn().catch(() => undefined);
}

createRoot(root).render(
  <StrictMode>
    <Tooltip.Provider delayDuration={400}>
      <Shell />
    </Tooltip.Provider>
  </StrictMode>,
);
