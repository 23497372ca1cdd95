/** Who may call and how often, who is signed in, and who has called what. */
export const ACCESS = `
  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    hash bytea NOT NULL UNIQUE,
    scopes text NOT NULL,
    flows text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint
  );

  CREATE TABLE sessions (
    id text COLLATE "C" PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    previous_hash bytea UNIQUE,
    key_id text COLLATE "C",
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    rotated_at bigint NOT NULL,
    confirmed_at bigint
  );

  CREATE TABLE sign_in_codes (hash bytea PRIMARY KEY, expires_at bigint NOT NULL);

  CREATE UNLOGGED TABLE request_windows (
    key text COLLATE "C" PRIMARY KEY,
    ends_at timestamptz NOT NULL,
    used integer NOT NULL
  );
  CREATE INDEX request_windows_past ON request_windows (ends_at);

  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    caller text NOT NULL,
    key_id text,
    method text NOT NULL,
    route text NOT NULL,
    object text,
    status integer NOT NULL,
    code text,
    address text NOT NULL,
    times integer NOT NULL
  );
`
