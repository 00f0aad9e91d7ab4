import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openScriptedService } from "./service/scripted-service.ts";
import { plainImage } from "./service/sample-images.ts";

it("measures ten images of almost 10 MiB with escaped plus signs, as .NET writes them", async () => {
  const service = await openScriptedService();
  const small = Buffer.from(await plainImage(), "base64");
  const large = Buffer.concat([small, randomBytes(10 * 1024 * 1024 - 1 - small.length)]).toString("base64");
  const text = `"${large.replaceAll("+", "\\u002B")}"`;
  const ask = async (payload: string) => {
    const headers = { "x-api-key": service.key, "content-type": "application/json" };
    const options = { method: "POST", url: "/v3/predict", headers, payload: Buffer.from(payload) } as const;
    return (await service.app.inject(options)).statusCode;
  };
  const batch = Array(10).fill(text).join();
  expect([await ask(`{"image":${text}}`), await ask(`{"images":[${batch}]}`)]).toEqual([200, 200]);
  await service.close();
});
