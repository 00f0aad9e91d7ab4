import { it } from "vitest";
import { fuzzUsg } from "./service/usg-fuzz.ts";

it("responds to 400 generated bodies with a prediction or a documented error", () => fuzzUsg(400));
