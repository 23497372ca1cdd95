/** Flows and their revisions. `deleted_namespaces` is a list, not JSON: it is searched. */
export const FLOWS = `
  CREATE TABLE flows (
    id text COLLATE "C" PRIMARY KEY,
    slug text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    type text NOT NULL,
    flow_data text NOT NULL,
    config text NOT NULL,
    api_key_id text COLLATE "C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    deleted_at bigint,
    deleted_namespaces text[]
  );
  CREATE UNIQUE INDEX flows_by_slug ON flows (slug) WHERE deleted_at IS NULL;
  CREATE INDEX flows_deleted ON flows (deleted_at) WHERE deleted_at IS NOT NULL;

  CREATE TABLE flow_revisions (
    flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    number integer NOT NULL,
    saved_at bigint NOT NULL,
    saved_by text NOT NULL,
    changes text NOT NULL,
    slug text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    type text NOT NULL,
    flow_data text NOT NULL,
    config text NOT NULL,
    api_key_id text COLLATE "C",
    PRIMARY KEY (flow_id, number)
  );
`
