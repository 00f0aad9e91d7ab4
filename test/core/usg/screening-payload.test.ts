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
  it.each([undefined, null, true, 5, "text", [], [examplePayload]])("%j is invalid_payload", (body) => {
    expect(faultOf(body).code).toBe("INVALID_BODY");
  });
});

describe("data unwrapping", () => {
  it("takes the object under data, and only that", () => {
    expect(readScreeningPayload({ data: examplePayload, BUN: "ignored" })).toEqual(read);
  });
  it("unwraps once", () => {
    expect(faultOf({ data: { data: examplePayload } }).code).toBe("MISSING_FEATURES");
  });
  it.each([null, 5, "text", [examplePayload]])("leaves data = %j alone", (data) => {
    expect(readScreeningPayload({ ...examplePayload, data })).toEqual(read);
  });
});

describe("missing features", () => {
  it.each(usgFeatures.map(({ key }) => key))("%s absent or null is missing_features", (key) => {
    const others = Object.fromEntries(Object.entries(examplePayload).filter(([name]) => name !== key));
    const fault = { code: "MISSING_FEATURES", message: `Missing features: ${key}` };
    expect(faultOf(others)).toEqual(fault);
    expect(faultOf({ ...examplePayload, [key]: null })).toEqual(fault);
  });
  it("names all of them before it checks values", () => {
    expect(faultOf({ BUN: "abc" })).toEqual({
      code: "MISSING_FEATURES",
      message: "Missing features: CREATININE, HGB, ABSOLUTE LYMPHOCYTES, age_months",
    });
  });
  it("takes keys literally", () => {
    const { "ABSOLUTE LYMPHOCYTES": lymphocytes, ...others } = examplePayload;
    expect(faultOf({ ...others, absolute_lymphocytes: lymphocytes }).code).toBe("MISSING_FEATURES");
  });
});

describe("values", () => {
  it.each([
    ["12.5", 12.5],
    [" 12.5 ", 12.5],
    ["1e1", 10],
    ["+12", 12],
    [".5", 0.5],
    ["12.", 12],
  ])("coerces %j", (sent, value) => {
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
  ])("refuses %j", (sent) => {
    expect(faultOf({ ...examplePayload, HGB: sent })).toEqual({
      code: "INVALID_VALUE",
      message: "Invalid value: HGB must be a number",
    });
  });
  it("refuses a long string at once", () => {
    const before = process.threadCpuUsage();
    expect(faultOf({ ...examplePayload, HGB: `${"1".repeat(65_000)}x` }).code).toBe("INVALID_VALUE");
    // A millisecond where every digit is read once, many seconds where each is tried with every other.
    expect(process.threadCpuUsage(before).user / 1e6).toBeLessThan(1);
  });
  it("names every field at fault", () => {
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
  it("null counts as absent", () => {
    expect(readScreeningPayload({ ...examplePayload, clinic_code: null, uuid: null })).toEqual(read);
  });
  it.each([
    ["empty", "", "must not be empty"],
    ["cut inside an emoji", "cat \ud83d", "must be well-formed Unicode"],
    ["with a line break", "cat\n1", "must not contain control characters"],
    ["with a C1 control character", "cat\u0085", "must not contain control characters"],
  ])("that are %s are named", (_what, text, demand) => {
    expect(faultOf({ ...examplePayload, clinic_code: text, uuid: text })).toEqual({
      code: "INVALID_VALUE",
      message: `Invalid value: clinic_code ${demand}; uuid ${demand}`,
    });
  });
  it.each(["clinic_code", "uuid"])("%s that is no string is named", (name) => {
    expect(faultOf({ ...examplePayload, [name]: 12 })).toEqual({
      code: "INVALID_VALUE",
      message: `Invalid value: ${name} must be a string`,
    });
  });
  it.each(["clinic_code", "uuid"])("%s is named when it is longer than /v3 takes a uuid", (name) => {
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
  it("ignores unknown members", () => {
    expect(
      readScreeningPayload(
        JSON.parse(`{"__proto__": {"BUN": 1}, "species": "dog", ${JSON.stringify(examplePayload).slice(1)}`),
      ),
    ).toEqual(read);
  });
});
