import { testKills } from "./charging.ts";

testKills(30);
