/** What an installation has once: its own settings, credentials, variables. */
export const WORKSPACE = `
  CREATE TABLE settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

  CREATE TABLE credentials (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_used_at bigint
  );

  CREATE TABLE variables (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL CONSTRAINT variables_by_name UNIQUE,
    type text NOT NULL CHECK (type IN ('static', 'runtime')),
    value text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  );
`
