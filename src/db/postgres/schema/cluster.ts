/**
 * What runs where. A *node* is a connection that holds the lock of its id, and says every second that it is alive; a process gets a
 * new id with each connection. A *lane* is the turn of a namespace that a node has; `epoch` is its fence, which is never
 * used twice. A *waiter* keeps jobs of its lane from beginning; it says every second
 * that it still waits. `flow_turns` is when a job of a flow last began.
 */
export const NODES = `
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
