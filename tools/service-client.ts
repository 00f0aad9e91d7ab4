import { Agent, request } from "node:https";

export type ServiceAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
};

/** HTTPS client of a service that keeps connections open between calls, as integrators do. */
export type ServiceClient = {
  /** Sends a request; rejects if the response is incomplete. */
  send(
    method: string,
    pathname: string,
    body: Buffer | string | null,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceAnswer>;
  /** Sends JSON with an API key. */
  post(key: string, pathname: string, body: object): Promise<ServiceAnswer>;
  close(): void;
};

/** @param authorityPem  certificate of the authority that issued the service's certificate */
export function createServiceClient(url: string, authorityPem: string): ServiceClient {
  const agent = new Agent({ keepAlive: true, ca: authorityPem });
  const send: ServiceClient["send"] = (method, pathname, body, headers) =>
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
            : reject(new Error("the response is incomplete")),
        );
      });
      sent.on("error", reject);
      sent.end(body ?? undefined);
    });
  return {
    send,
    post: (key, pathname, body) =>
      send("POST", pathname, JSON.stringify(body), { "x-api-key": key, "content-type": "application/json" }),
    close: () => agent.destroy(),
  };
}
