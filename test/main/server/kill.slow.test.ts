import { describeKills } from "./service/kills.ts";

describeKills(1);
