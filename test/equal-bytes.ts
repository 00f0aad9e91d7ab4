import { expect } from "vitest";

/** Bytes are compared at once: the runner's own comparison looks at them one by one, seconds for a film. */
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : undefined,
]);
