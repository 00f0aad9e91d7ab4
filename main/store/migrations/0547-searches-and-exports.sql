-- The rows of an account one after another, for exports.
CREATE INDEX ledger_by_account ON ledger (account_id, seq);
