import { testKills, testTogether } from "./charging.ts";

testKills(3);
testTogether();
