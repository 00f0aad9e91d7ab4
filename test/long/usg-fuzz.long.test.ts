import { it } from "vitest";
import { fuzzUsg } from "../main/server/service/usg-fuzz.ts";

it("answers 100,000 generated bodies with a prediction or a documented code", { timeout: 3_600_000 }, () =>
  fuzzUsg(100_000),
);
