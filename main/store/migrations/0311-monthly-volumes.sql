-- Billable calls of each account's month that have not been reversed, counted as they are booked: a charge needs its
-- place in the month, and must not cost more in a month of many.
CREATE TABLE monthly_volumes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  period TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (account_id, period)
) STRICT;

INSERT INTO monthly_volumes (account_id, period, calls)
  SELECT account_id, period, count(*) FROM ledger AS charge
  WHERE kind = 'charge' AND NOT EXISTS (SELECT 1 FROM ledger AS reversal WHERE reversal.reverses = charge.seq)
  GROUP BY account_id, period;
