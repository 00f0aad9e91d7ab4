// Runs once: opens PostgreSQL or both engines directly.
import { describe, expect, it } from "vitest";
import { readPostgresAddress } from "../../../../main/store/engines/postgres/postgres-address.ts";

const trusted = { rejectUnauthorized: true, minVersion: "TLSv1.2" };

describe("the address of a database", () => {
  it.each([
    [
      "postgres://corvet:s%40fe@db.clinic.example:6432/practice",
      {
        ...{ host: "db.clinic.example", port: 6432, database: "practice", user: "corvet", password: "s@fe" },
        ...{ ssl: { host: "db.clinic.example", ...trusted }, place: "postgres://db.clinic.example:6432/practice" },
      },
    ],
    [
      "postgresql://192.168.1.5/practice?sslmode=verify-full",
      { host: "192.168.1.5", port: 5432, user: undefined, ssl: { host: "192.168.1.5", ...trusted } },
    ],
    [
      "postgres://corvet@[2001:db8::1]/practice",
      { host: "2001:db8::1", place: "postgres://[2001:db8::1]:5432/practice" },
    ],
    ["postgres://corvet@localhost/practice", { host: "localhost", ssl: false }],
    ["postgres://corvet@127.0.0.1/practice?sslmode=verify-full", { ssl: { host: "127.0.0.1", ...trusted } }],
    [
      "postgres://corvet@/practice?host=/var/run/postgresql",
      { host: "/var/run/postgresql", user: "corvet", ssl: false, place: "postgres:///var/run/postgresql/practice" },
    ],
    ["postgres:///practice?host=/var/run/postgresql", { host: "/var/run/postgresql", user: undefined }],
    ["postgres:///practice", { host: "localhost", database: "practice" }],
    [
      "postgres://corvet:s%40fe@a.example:6432,b.example/practice?target_session_attrs=read-write",
      {
        host: "a.example",
        user: "corvet",
        password: "s@fe",
        place: "postgres://a.example:6432,b.example:5432/practice",
      },
    ],
    ["postgres://corvet@/practice?host=/run/a,/run/b", { host: "/run/a", place: "postgres:///run/a,/run/b/practice" }],
  ])("parses %s", (url, address) => {
    expect(readPostgresAddress(url)).toMatchObject(address);
  });

  it.each([
    ["mysql://corvet:secret@db/practice", "must begin with postgres://"],
    ["postgres://corvet:secret@db", "must name a database"],
    ["postgres://corvet:secret@db:port/practice", "cannot be read"],
    ["practice", "cannot be read"],
    ["postgres://corvet:50%secret@db/practice", "write % as %25"],
    ["postgres://corvet:secret@db/practice?sslmode=disable", "sslmode=disable is not enough"],
    ["postgres://corvet:secret@db/practice?sslmode=require", "sslmode=require is not enough"],
    ["postgres://corvet:secret@db/practice?sslrootcert=/none.pem", "certificates in /none.pem cannot be read"],
    ["postgres://corvet:secret@a,b/practice?target_session_attrs=any", "target_session_attrs=any is not possible"],
    ["postgres://corvet:secret@a,127.0.0.1/practice?sslmode=disable", "sslmode=disable is not enough"],
    ["postgres://corvet:secret@db/practice?options=-cfsync=off", "the parameter options= is not supported"],
  ])("rejects %s without revealing the password", (url, problem) => {
    expect(() => readPostgresAddress(url)).toThrow(
      expect.objectContaining({ code: "STORE_UNAVAILABLE", message: expect.stringContaining(problem) }),
    );
    expect(() => readPostgresAddress(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("secret") }),
    );
  });
});
