import { describeKills } from "../main/server/service/kills.ts";

describeKills(50);
