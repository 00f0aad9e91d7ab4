-- What the role `corvet` may do, with which the program runs beside the owner: everything but change or remove what is kept,
-- beyond what the erasure of a patient needs. Given anew after each migration; without the role nothing happens.
DO $$
DECLARE
  named text;
  kept CONSTANT text[] := ARRAY['accounts', 'annotations', 'api_keys', 'audit_events', 'erased_rows', 'last_given', 'ledger', 'measurements',
    'migrations', 'people', 'reading_values', 'readings', 'usg_predictions', 'value_seals'];
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'corvet') OR current_user = 'corvet' THEN
    RETURN;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO corvet', current_schema());
  FOR named IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('REVOKE ALL ON %I FROM corvet', named);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO corvet', named);
    IF NOT named = ANY (kept) THEN
      EXECUTE format('GRANT UPDATE, DELETE ON %I TO corvet', named);
    END IF;
  END LOOP;
  REVOKE INSERT ON last_given, migrations FROM corvet;
  GRANT UPDATE ON people TO corvet;
  -- Who pays: names, rates and revocations are bound by the audit trail; owner and secret of a key never change.
  GRANT UPDATE (name, last_used_at_ms, revoked_at_ms, enterprise_single_cents, enterprise_session_cents)
    ON api_keys TO corvet;
  GRANT DELETE ON annotations, measurements, reading_values, readings, usg_predictions TO corvet;
  GRANT UPDATE (uuid, uuid_nfc) ON ledger TO corvet;
  GRANT UPDATE (uuid, uuid_nfc, is_best, image_sha256, parameters, width_px, height_px, classifier_confidence, vhs, vlas,
    spread, tier, sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes, outline, intervals)
    ON measurements TO corvet;
END $$;
