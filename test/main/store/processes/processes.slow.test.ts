import { testKills, testTogether } from "./charging.ts";

testKills(2);
testTogether();
