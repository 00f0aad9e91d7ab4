import { it } from "vitest";
import { fuzzUsg } from "../main/server/service/usg-fuzz.ts";

it("answers 100,000 generated bodies with a prediction or a documented code", () => fuzzUsg(100_000));
