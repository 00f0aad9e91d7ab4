import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { popSessionRequest } from "../../../core/contract/v3/pop-session.ts";
import { usgFeatures } from "../../../core/usg/features.ts";
import { readScreeningPayload } from "../../../core/usg/screening-payload.ts";
import { examplePayload } from "./example-payload.ts";

function faultOf(body: unknown): { code: string; message: string } {
  try {
    readScreeningPayload(body);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("was accepted");
}

const read = { values: examplePayload, clinicCode: null, uuid: null };

describe("a body that is not an object", () => {
  it.each([undefined, null, true, 5, "text", [], [examplePayload]])("is rejected: %j", (body) => {
    expect(faultOf(body).code).toBe("INVALID_BODY");
  });
});

describe("data unwrapping", () => {
  it("uses only the object in data", () => {
    expect(readScreeningPayload({ data: examplePayload, BUN: "ignored" })).toEqual(read);
  });
  it("unwraps once", () => {
    expect(faultOf({ data: { data: examplePayload } }).code).toBe("MISSING_FEATURES");
  });
  it.each([null, 5, "text", [examplePayload]])("ignores data = %j", (data) => {
    expect(readScreeningPayload({ ...examplePayload, data })).toEqual(read);
  });
});

describe("missing features", () => {
  it.each(usgFeatures.map(({ key }) => key))("are reported if %s is absent or null", (key) => {
    const others = Object.fromEntries(Object.entries(examplePayload).filter(([name]) => name !== key));
    const fault = { code: "MISSING_FEATURES", message: `Missing features: ${key}` };
    expect(faultOf(others)).toEqual(fault);
    expect(faultOf({ ...examplePayload, [key]: null })).toEqual(fault);
  });
  it("are all reported before values are checked", () => {
    expect(faultOf({ BUN: "abc" })).toEqual({
      code: "MISSING_FEATURES",
      message: "Missing features: CREATININE, HGB, ABSOLUTE LYMPHOCYTES, age_months",
    });
  });
  it("are matched by exact keys", () => {
    const { "ABSOLUTE LYMPHOCYTES": lymphocytes, ...others } = examplePayload;
    expect(faultOf({ ...others, absolute_lymphocytes: lymphocytes }).code).toBe("MISSING_FEATURES");
  });
});

describe("feature values", () => {
  it.each([
    ["12.5", 12.5],
    [" 12.5 ", 12.5],
    ["1e1", 10],
    ["+12", 12],
    [".5", 0.5],
    ["12.", 12],
  ])("are parsed from %j", (sent, value) => {
    expect(readScreeningPayload({ ...examplePayload, HGB: sent }).values.HGB).toBe(value);
  });
  it.each([
    "",
    " ",
    "abc",
    "12,5",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    true,
    false,
    [],
    [12],
    {},
    { value: 12 },
    Number.POSITIVE_INFINITY,
  ])("are rejected: %j", (sent) => {
    expect(faultOf({ ...examplePayload, HGB: sent })).toEqual({
      code: "INVALID_VALUE",
      message: "Invalid value: HGB must be a number",
    });
  });
  it("are rejected quickly if they are long strings", () => {
    const before = process.threadCpuUsage();
    expect(faultOf({ ...examplePayload, HGB: `${"1".repeat(65_000)}x` }).code).toBe("INVALID_VALUE");
    // A millisecond in linear time, many seconds with backtracking.
    expect(process.threadCpuUsage(before).user / 1e6).toBeLessThan(1);
  });
  it("are all reported if invalid", () => {
    expect(faultOf({ ...examplePayload, BUN: "x", age_months: [], uuid: 7 }).message).toBe(
      "Invalid value: BUN must be a number; age_months must be a number; uuid must be a string",
    );
  });
});

describe("optional fields", () => {
  it("are parsed unchanged", () => {
    expect(readScreeningPayload({ ...examplePayload, clinic_code: "K-7", uuid: "cat 1" })).toEqual({
      ...read,
      clinicCode: "K-7",
      uuid: "cat 1",
    });
  });
  it("may be null", () => {
    expect(readScreeningPayload({ ...examplePayload, clinic_code: null, uuid: null })).toEqual(read);
  });
  it.each([
    ["empty", "", "must not be empty"],
    ["truncated within an emoji", "cat \ud83d", "must be well-formed Unicode"],
    ["with a line break", "cat\n1", "must not contain control characters"],
    ["with a C1 control character", "cat\u0085", "must not contain control characters"],
  ])("are rejected if %s", (_what, text, demand) => {
    expect(faultOf({ ...examplePayload, clinic_code: text, uuid: text })).toEqual({
      code: "INVALID_VALUE",
      message: `Invalid value: clinic_code ${demand}; uuid ${demand}`,
    });
  });
  it.each(["clinic_code", "uuid"])("are rejected if %s is not a string", (name) => {
    expect(faultOf({ ...examplePayload, [name]: 12 })).toEqual({
      code: "INVALID_VALUE",
      message: `Invalid value: ${name} must be a string`,
    });
  });
  it.each(["clinic_code", "uuid"])("are rejected if %s is longer than a uuid of /v3", (name) => {
    const longest = "😺".repeat(200);
    expect(popSessionRequest.safeParse({ image: "x", session_id: "x", uuid: longest }).success).toBe(true);
    expect(popSessionRequest.safeParse({ image: "x", session_id: "x", uuid: `${longest}x` }).success).toBe(false);
    expect(readScreeningPayload({ ...examplePayload, [name]: longest })).toMatchObject({
      [name === "uuid" ? "uuid" : "clinicCode"]: longest,
    });
    expect(faultOf({ ...examplePayload, [name]: `${longest}x` })).toEqual({
      code: "INVALID_VALUE",
      message: `Invalid value: ${name} must have at most 200 characters`,
    });
  });
  it("may be accompanied by unknown properties", () => {
    expect(
      readScreeningPayload(
        JSON.parse(`{"__proto__": {"BUN": 1}, "species": "dog", ${JSON.stringify(examplePayload).slice(1)}`),
      ),
    ).toEqual(read);
  });
});
