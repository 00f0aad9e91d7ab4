-- Charges whose answer has not been seen to leave. A row lives from the charge to the moment its answer is written; one that is
-- still here after a crash belongs to a call that was not answered.
CREATE TABLE undelivered_charges (
  call_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE REFERENCES ledger (seq),
  -- The answer is kept and can be fetched until then (a capture session); null when it is lost with its connection.
  answer_until_ms INTEGER
) STRICT, WITHOUT ROWID;
