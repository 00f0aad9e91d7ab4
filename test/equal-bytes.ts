import { expect } from "vitest";

// Compares bytes as a whole, since Vitest's comparison of a film, element by element, takes seconds.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : undefined,
]);
