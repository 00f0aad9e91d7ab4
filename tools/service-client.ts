import { Agent, request } from "node:https";

export type ServiceAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
};

/** Asks a service over connections that stay open between calls, as integrators do. */
export type ServiceClient = {
  /** Sends bytes; rejects when the answer does not arrive whole. */
  send(
    method: string,
    pathname: string,
    body: Buffer | string | null,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceAnswer>;
  /** Ends the connections. */
  close(): void;
};

/** @param authorityPem  the authority that signed the service's certificate */
export function createServiceClient(url: string, authorityPem: string): ServiceClient {
  const agent = new Agent({ keepAlive: true, ca: authorityPem });
  return {
    send: (method, pathname, body, headers) =>
      new Promise((resolve, reject) => {
        const sent = request(`${url}${pathname}`, { method, agent, headers }, (response) => {
          let text = "";
          response
            .setEncoding("utf8")
            .on("data", (chunk: string) => (text += chunk))
            .on("error", reject);
          response.on("end", () =>
            response.complete
              ? resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
              : reject(new Error("the answer broke off")),
          );
        });
        sent.on("error", reject);
        sent.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}
