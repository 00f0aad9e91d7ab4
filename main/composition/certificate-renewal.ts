import { dayMs } from "../../core/durations.ts";
import { certificateTime } from "../server/tls/certificate-time.ts";
import { ensureTlsCredentials, hasFutureCertificate, type TlsCredentials } from "../server/tls/tls.ts";
import { createPoller } from "../services/desktop/poller.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";

/** Interval at which certificates are compared with the clock, which may have been corrected [ms]. */
const checkEveryMs = 60_000;

/**
 * Renews the certificates daily, without interrupting the service. A certificate issued while the clock was ahead is
 * replaced at once, since clients reject it once the clock is correct.
 *
 * @param hosts      configured names in addition to the loopback names
 * @param onRenewed  receives the certificates to use, which may be unchanged
 */
export function startCertificateRenewal(
  context: Pick<ServiceContext, "db" | "dataDir" | "now" | "log">,
  hosts: readonly string[],
  onRenewed: (credentials: TlsCredentials) => void,
) {
  const { dataDir, log } = context;
  let lastMs = context.now().getTime();
  const check = async () => {
    const time = await certificateTime(context);
    const isFuture = hasFutureCertificate(dataDir, time);
    if (isFuture) log.warn({}, "replacing a certificate dated in the future");
    // The clock may also have been set back.
    else if (Math.abs(time.getTime() - lastMs) < dayMs) return;
    lastMs = time.getTime();
    onRenewed(await ensureTlsCredentials(dataDir, hosts, time));
  };
  const poller = createPoller(check, checkEveryMs, (error) =>
    log.error({ error }, "the certificates could not be renewed"),
  );
  poller.start();
  return { check: poller.poll, stop: poller.close };
}
