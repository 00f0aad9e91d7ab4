import { it } from "vitest";
import { fuzzUsg } from "./service/usg-fuzz.ts";

it("answers 400 generated bodies with a prediction or a documented code", () => fuzzUsg(400));
