import { testKills, testTogether } from "./charging.ts";

testKills(5);
testTogether();
