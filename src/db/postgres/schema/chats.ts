/** Conversations, and the runs of agent flows in them. */
export const CHATS = `
  CREATE TABLE chat_messages (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    owner text,
    role text NOT NULL CHECK (role IN ('userMessage', 'apiMessage')),
    answered boolean NOT NULL,
    content text NOT NULL,
    chat_type text NOT NULL,
    memory_type text,
    details text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX chat_messages_by_session ON chat_messages (flow_id, session_id, seq);
  CREATE INDEX chat_messages_by_chat ON chat_messages (flow_id, chat_id, seq);

  CREATE TABLE chat_files (
    id text COLLATE "C" PRIMARY KEY,
    message_id text COLLATE "C" NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
    name text NOT NULL,
    mime text NOT NULL,
    content bytea NOT NULL
  );
  CREATE INDEX chat_files_by_message ON chat_files (message_id);

  CREATE TABLE chat_feedback (
    id text COLLATE "C" PRIMARY KEY,
    flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id text COLLATE "C" NOT NULL,
    message_id text COLLATE "C" NOT NULL UNIQUE REFERENCES chat_messages (id) ON DELETE CASCADE,
    rating text NOT NULL,
    content text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX chat_feedback_by_flow ON chat_feedback (flow_id);

  CREATE TABLE leads (
    id text COLLATE "C" PRIMARY KEY,
    flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id text COLLATE "C" NOT NULL,
    name text,
    email text,
    phone text,
    created_at bigint NOT NULL
  );
  CREATE INDEX leads_by_flow ON leads (flow_id, created_at);

  CREATE TABLE paused_runs (
    id text COLLATE "C" PRIMARY KEY,
    flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    session_id text COLLATE "C" NOT NULL,
    node_id text NOT NULL,
    created_at bigint NOT NULL,
    state text NOT NULL,
    UNIQUE (flow_id, session_id)
  );

  CREATE TABLE executions (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    flow_id text COLLATE "C" NOT NULL,
    question_id text COLLATE "C" NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
    chat_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    state text NOT NULL,
    nodes text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE INDEX executions_by_session ON executions (flow_id, session_id);
  CREATE INDEX executions_by_question ON executions (question_id);
  CREATE INDEX executions_by_age ON executions (updated_at);
`
