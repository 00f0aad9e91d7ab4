export const tariffTiers = ["paygo", "starter", "professional", "enterprise"] as const;

export type TariffTier = (typeof tariffTiers)[number];

/** Metered units: one image, or a whole batch, stream or capture session. */
export const callTypes = ["single", "session"] as const;

export type CallType = (typeof callTypes)[number];

export const meteredServices = ["cardiac", "usg"] as const;

export type MeteredService = (typeof meteredServices)[number];

/** Price of one call [whole cents]. */
export type Rates = Readonly<Record<CallType, number>>;

export const currency = "USD";

/** Last ordinal of the month in each tier, and its rates [cents]. `enterprise` is agreed per key. */
export const tariff = {
  paygo: { lastOrdinal: 100, rates: { single: 300, session: 400 } },
  starter: { lastOrdinal: 500, rates: { single: 250, session: 350 } },
  professional: { lastOrdinal: 2000, rates: { single: 200, session: 300 } },
  enterprise: { lastOrdinal: Number.POSITIVE_INFINITY, rates: null },
} as const satisfies Readonly<Record<TariffTier, { readonly lastOrdinal: number; readonly rates: Rates | null }>>;

export type Agreements = {
  /** Rates from call 2,001 on; null until agreed, in which case the professional rates apply. */
  readonly enterprise: Rates | null;
  /** Price of one USG call; null until set, in which case the charge has no amount. */
  readonly usgCents: number | null;
};

/** @param ordinal  position of a billable call in the account's month, or its number of calls; 0 is `paygo` */
export function tierOfOrdinal(ordinal: number): TariffTier {
  return tariffTiers.find((tier) => ordinal <= tariff[tier].lastOrdinal) ?? "enterprise";
}

export function firstOrdinalOf(tier: TariffTier): number {
  const before = tariffTiers[tariffTiers.indexOf(tier) - 1];
  return before === undefined ? 1 : tariff[before].lastOrdinal + 1;
}

/** Returns whole cents; null for a service without a price. */
export function amountOfCall(
  service: MeteredService,
  callType: CallType,
  tier: TariffTier,
  agreements: Agreements,
): number | null {
  switch (service) {
    case "usg":
      return agreements.usgCents;
    case "cardiac":
      return (tariff[tier].rates ?? agreements.enterprise ?? tariff.professional.rates)[callType];
  }
}
