import { useState } from "react";
import { faultText } from "./faults.ts";

/** State of a form for a PIN or password. A failure is shown at the field, which is cleared. */
export function useSecret(ask: (secret: string) => Promise<void>) {
  const [secret, setSecret] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const submit = () => {
    if (secret === "" || isAsking) return;
    setAsking(true);
    ask(secret).catch((error: unknown) => {
      setFault(faultText(error));
      setSecret("");
      setAsking(false);
    });
  };
  return { secret, setSecret, fault, isAsking, submit };
}
