/**
 * The members of a cluster and what each does; the tables have names of earlier words. `nodes`: a member is a connection that holds the
 * lock of its id, and says every second that it is alive; a process gets a new id with each connection. `lanes`: the leases of
 * namespaces; `epoch` is the fence of one, which is never used twice. `lane_waiters` keep jobs of a namespace from beginning; each says
 * every second that it still waits. `flow_turns` is when a job of a flow last began.
 */
export const CLUSTER = `
  CREATE TABLE nodes (
    id integer PRIMARY KEY,
    name text NOT NULL,
    seen timestamptz NOT NULL DEFAULT clock_timestamp()
  );

  CREATE SEQUENCE turn_epochs;
  CREATE TABLE lanes (
    lane text COLLATE "C" PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT nextval('turn_epochs'),
    node integer NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE lane_waiters (
    lane text COLLATE "C" NOT NULL,
    node integer NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    waits_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (lane, node)
  );
  CREATE TABLE flow_turns (flow_id text COLLATE "C" PRIMARY KEY, served_at timestamptz NOT NULL);
`
