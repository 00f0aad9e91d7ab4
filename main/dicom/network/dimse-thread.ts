import { serveThread } from "../../workers/serve-thread.ts";
import { commit } from "./commitment/commit.ts";
import type { DimseCalls } from "./node-calls.ts";
import { fetch, find } from "./query/queries.ts";
import { send } from "./sending/send.ts";

// Each call has its own thread: errors of the library or the peer end with it, and cancelling terminates it.

serveThread<DimseCalls>({ find, fetch, send, commit });
