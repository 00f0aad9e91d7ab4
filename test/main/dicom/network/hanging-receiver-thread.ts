import { serveThread } from "../../../../main/workers/serve-thread.ts";
import type { ReceiverCalls } from "../../../../main/dicom/network/receiving/receiver-calls.ts";

// Replaces the receiver thread in tests: answers three pings and then hangs.

let answers = 0;
serveThread<ReceiverCalls>(
  {
    receive: (_options, call) => {
      call.progress({ kind: "listening", port: 1 });
      return new Promise(() => undefined);
    },
    refuseObjects: () => null,
    ping: () => {
      if (answers === 3) hang();
      answers += 1;
      return null;
    },
  },
  { onClose: hang },
);

function hang(): never {
  for (;;);
}
