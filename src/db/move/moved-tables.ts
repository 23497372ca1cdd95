import type { CopyType } from '../postgres/copy-rows.ts'

/** The type of a column in PostgreSQL. `sql` reads it where the stored value must not be moved as it is; `sqlite` where SQLite has no such column. */
type MovedColumn = CopyType | { type: CopyType; sql?: string; sqlite?: string }

/**
 * A table that both databases have. Ids stay the same in the other database.
 *
 * - `key`: the columns that identify a row; rows are read in their order.
 * - `batch`: how many rows are read and written together at most. Large rows have small batches.
 */
export type MovedTable = {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, MovedColumn>>
  readonly where?: string
  readonly batch: number
}

/** The setting with the state of a move, in the database that is filled. */
export const MOVE = 'move'

/** The setting with the id of the database that was moved here completely. */
export const MOVED_FROM = 'movedFrom'

/** The setting with the id of a database. */
export const DATABASE_ID = 'database-id'

/** Settings that belong to one database and not to its contents. */
const OWN_SETTINGS = [MOVE, MOVED_FROM, DATABASE_ID, 'database-starts', 'secretKey']

/** No run is open in a database without servers. */
const RUN_STATE = { type: 'text', sql: `CASE state WHEN 'open' THEN 'abandoned' ELSE state END` } as const

/** A job that a stopped server was working on begins again. */
const JOB_STATE = { type: 'text', sql: `CASE state WHEN 'running' THEN 'queued' ELSE state END` } as const
const JOB_TURN = {
  type: 'integer',
  sql: `CASE state WHEN 'running' THEN turn + 1 ELSE turn END`,
} as const
const JOB_ATTEMPT = {
  type: 'integer',
  sql: `CASE state WHEN 'running' THEN attempt + 1 ELSE attempt END`,
} as const
const JOB_START = {
  type: 'bigint',
  sql: `CASE state WHEN 'running' THEN NULL ELSE started_at END`,
} as const
const JOB_PROGRESS = {
  type: 'text',
  sql: `CASE state WHEN 'running' THEN NULL ELSE progress END`,
} as const

const INDEX_OF_SOURCE = '(SELECT index_id FROM sources WHERE sources.id = source_id)'

/** All tables that are moved, in an order in which every row comes after those that it refers to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: 'settings',
    key: ['name'],
    columns: { name: 'text', value: 'text' },
    where: `name NOT IN (${OWN_SETTINGS.map((name) => `'${name}'`).join(', ')})`,
    batch: 1000,
  },
  {
    name: 'variables',
    key: ['id'],
    columns: {
      ...{ id: 'text', name: 'text', type: 'text', value: 'text' },
      ...{ created_at: 'bigint', updated_at: 'bigint' },
    },
    batch: 1000,
  },
  {
    name: 'custom_tools',
    key: ['id'],
    columns: {
      ...{ id: 'text', name: 'text', description: 'text', color: 'text', icon_src: 'text' },
      ...{ schema: 'text', func: 'text', created_at: 'bigint', updated_at: 'bigint' },
    },
    batch: 100,
  },
  {
    name: 'credentials',
    key: ['id'],
    columns: {
      ...{ id: 'text', name: 'text', kind: 'text', sealed: 'text' },
      ...{ created_at: 'bigint', updated_at: 'bigint', last_used_at: 'bigint' },
    },
    batch: 1000,
  },
  {
    name: 'engine_places',
    key: ['engine', 'place'],
    columns: { engine: 'text', place: 'text', sealed: 'text', used_at: 'bigint' },
    batch: 1000,
  },
  {
    name: 'flows',
    key: ['id'],
    columns: {
      ...{ id: 'text', slug: 'text', name: 'text', type: 'text', flow_data: 'text', config: 'text' },
      ...{ api_key_id: 'text', created_at: 'bigint', updated_at: 'bigint', revision: 'integer' },
      ...{ deleted_at: 'bigint', deleted_namespaces: 'text[]' },
    },
    batch: 50,
  },
  {
    name: 'flow_revisions',
    key: ['flow_id', 'number'],
    columns: {
      ...{ flow_id: 'text', number: 'integer', saved_at: 'bigint', saved_by: 'text', changes: 'text' },
      ...{ slug: 'text', name: 'text', type: 'text', flow_data: 'text', config: 'text', api_key_id: 'text' },
    },
    batch: 50,
  },
  {
    name: 'flow_drafts',
    key: ['flow_id'],
    columns: {
      ...{ flow_id: 'text', number: 'integer', base: 'integer', saved_at: 'bigint', saved_by: 'text' },
      flow_data: 'text',
    },
    batch: 50,
  },
  {
    name: 'api_keys',
    key: ['id'],
    columns: {
      ...{
        id: 'text',
        name: 'text',
        hash: 'bytea',
        scopes: 'text',
        flows: 'text',
        pins: 'text',
        quotas: 'text',
      },
      ...{ created_at: 'bigint', expires_at: 'bigint', last_used_at: 'bigint' },
    },
    batch: 1000,
  },
  {
    name: 'quota_use',
    key: ['key_id', 'quota'],
    columns: { key_id: 'text', quota: 'text', day: 'integer', used: 'bigint' },
    batch: 1000,
  },
  {
    name: 'sessions',
    key: ['id'],
    columns: {
      ...{ id: 'text', token_hash: 'bytea', previous_hash: 'bytea', key_id: 'text' },
      ...{ created_at: 'bigint', used_at: 'bigint', rotated_at: 'bigint', confirmed_at: 'bigint' },
    },
    batch: 1000,
  },
  {
    name: 'audit',
    key: ['id'],
    columns: {
      ...{ id: 'bigint', at: 'bigint', caller: 'text', key_id: 'text', method: 'text', route: 'text' },
      ...{ object: 'text', status: 'integer', code: 'text', address: 'text', times: 'integer' },
    },
    batch: 2000,
  },
  {
    name: 'jobs',
    key: ['seq'],
    columns: {
      ...{ seq: 'bigint', id: 'text', flow_id: 'text', kind: 'text', state: JOB_STATE, turn: JOB_TURN },
      attempt: JOB_ATTEMPT,
      ...{ lane: 'text', created_at: 'bigint', started_at: JOB_START, finished_at: 'bigint' },
      ...{ repeat_scope: 'text', repeat_fingerprint: 'text', folder: 'text', upload_bytes: 'bigint' },
      ...{ progress: JOB_PROGRESS, error: 'text', description: 'text', request: 'text', result: 'text' },
      ...{ files: 'text', owner: 'text' },
    },
    batch: 100,
  },
  {
    name: 'upsert_history',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', result: 'text', flow_data: 'text', date: 'bigint', job_id: 'text' },
    },
    batch: 100,
  },
  {
    name: 'chat_messages',
    key: ['seq'],
    columns: {
      ...{ seq: 'bigint', id: 'text', flow_id: 'text', chat_id: 'text', session_id: 'text', owner: 'text' },
      ...{ role: 'text', answered: 'boolean', content: 'text', chat_type: 'text', memory_type: 'text' },
      ...{ details: 'text', created_at: 'bigint' },
    },
    batch: 500,
  },
  {
    name: 'chat_claims',
    key: ['flow_id', 'chat_id'],
    columns: { flow_id: 'text', chat_id: 'text', owner: 'text', used_at: 'bigint' },
    batch: 1000,
  },
  {
    name: 'chat_files',
    key: ['id'],
    columns: { id: 'text', message_id: 'text', name: 'text', mime: 'text', content: 'bytea' },
    batch: 4,
  },
  {
    name: 'chat_feedback',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', chat_id: 'text', message_id: 'text', rating: 'text' },
      ...{ content: 'text', created_at: 'bigint' },
    },
    batch: 1000,
  },
  {
    name: 'leads',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', chat_id: 'text', name: 'text', email: 'text', phone: 'text' },
      created_at: 'bigint',
    },
    batch: 1000,
  },
  {
    name: 'questions',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', key: 'text', text: 'text', state: 'text', origin: 'text' },
      ...{ judgements: 'text', created_at: 'bigint', updated_at: 'bigint' },
    },
    batch: 200,
  },
  {
    name: 'question_runs',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', revision: 'integer', cause: 'text', measures: 'text' },
      ...{ results: 'text', started_at: 'bigint', finished_at: 'bigint' },
    },
    batch: 4,
  },
  {
    name: 'paused_runs',
    key: ['id'],
    columns: {
      ...{ id: 'text', flow_id: 'text', session_id: 'text', node_id: 'text', created_at: 'bigint' },
      state: 'text',
    },
    batch: 50,
  },
  {
    name: 'flow_states',
    key: ['flow_id', 'session_id'],
    columns: {
      ...{ flow_id: 'text', session_id: 'text', root_flow_id: 'text', updated_at: 'bigint', state: 'text' },
    },
    batch: 50,
  },
  {
    name: 'executions',
    key: ['seq'],
    columns: {
      ...{ seq: 'bigint', id: 'text', flow_id: 'text', question_id: 'text', chat_id: 'text' },
      ...{ session_id: 'text', state: 'text', nodes: 'text', created_at: 'bigint', updated_at: 'bigint' },
      ...{ kind: 'text', failure: 'text', spans: 'text', omitted_spans: 'integer' },
    },
    batch: 50,
  },
  {
    name: 'indexes',
    key: ['id'],
    columns: {
      ...{ id: 'bigint', namespace: 'text', embedder: 'text', dimensions: 'integer', chunks: 'bigint' },
      ...{ created_at: 'bigint', state: 'text', replaces: 'bigint', engine: 'text' },
      ...{ deleted_flow: 'text', deleted_namespace: 'text', has_removed: 'integer' },
    },
    batch: 1000,
  },
  {
    name: 'runs',
    key: ['seq'],
    columns: {
      ...{ seq: 'bigint', index_id: 'bigint', state: RUN_STATE, started_at: 'bigint' },
      ...{ published_at: 'bigint', job: 'text', receipt: 'text' },
    },
    batch: 1000,
  },
  {
    name: 'sources',
    key: ['id'],
    columns: {
      ...{ id: 'bigint', index_id: 'bigint', name: 'text', updated_at: 'bigint', chunks: 'bigint' },
      ...{ bytes: 'bigint', characters: 'bigint', job: 'text', removed_run: 'bigint' },
      ...{ removed_until: 'bigint', original: 'text', original_type: 'text' },
      ...{ outdated: 'bigint' },
      ...{ settings: 'text', request: 'text', dropped: 'text', gaps: 'text' },
    },
    batch: 2000,
  },
  {
    name: 'load_settings',
    key: ['index_id', 'hash'],
    columns: { index_id: 'bigint', hash: 'text', content: 'text' },
    batch: 1000,
  },
  {
    name: 'failed_files',
    key: ['namespace', 'source'],
    columns: {
      ...{ namespace: 'text', source: 'text', fence: 'text', name: 'text', flow_id: 'text', job: 'text' },
      ...{ code: 'text', message: 'text', failed_at: 'bigint', uploaded: 'boolean', original: 'text' },
      bytes: 'bigint',
    },
    batch: 1000,
  },
  {
    name: 'chunk_edits',
    key: ['namespace', 'id'],
    columns: {
      ...{ namespace: 'text', id: 'text', source: 'text', flow_id: 'text', hash: 'text', ordinal: 'integer' },
      ...{ original: 'text', content: 'text', metadata: 'text', result_hash: 'text', edited_at: 'bigint' },
      aside_at: 'bigint',
    },
    batch: 500,
  },
  { name: 'gone_originals', key: ['id'], columns: { id: 'text' }, batch: 5000 },
  {
    name: 'files',
    key: ['index_id', 'name'],
    columns: { index_id: 'bigint', name: 'text', fingerprint: 'text', chunks: 'bigint' },
    batch: 2000,
  },
  {
    name: 'passages',
    key: ['id'],
    columns: { id: 'bigint', index_id: 'bigint', hash: 'text', content: 'text' },
    batch: 1000,
  },
  {
    name: 'vectors',
    key: ['passage_id'],
    columns: { passage_id: 'bigint', vector: 'bytea' },
    batch: 1000,
  },
  {
    name: 'chunks',
    key: ['id'],
    columns: {
      ...{ id: 'bigint', index_id: { type: 'bigint', sqlite: INDEX_OF_SOURCE }, source_id: 'bigint' },
      ...{ passage_id: 'bigint', hash: 'text', metadata: 'text', metadata_hash: 'text', born: 'bigint' },
      ...{ died: 'bigint', point: 'text', text_start: 'integer', text_end: 'integer' },
      ...{ outdated_at: 'bigint' },
    },
    batch: 2000,
  },
]

/** Tables and columns that are not moved, by database: they are made again there, or last for minutes. */
export const NOT_MOVED = {
  sqlite: [
    ...['vector_images', 'gone_passages', 'text_segments', 'text_segment_bodies', 'text_leftovers'],
    ...['text_pages', 'passage_hashes', 'sign_in_codes', 'flow_revisions.id'],
    ...['value_blocks', 'value_columns', 'indexes.valued_to'],
    ...['flows', 'flow_revisions', 'flow_drafts', 'chat_messages', 'chat_files', 'vectors'].map(
      (one) => `${one}.checksum`,
    ),
    ...['runs.first_chunk', 'runs.first_passage'],
  ],
  postgres: [
    ...['schema_steps', 'sign_in_codes', 'run_changes', 'runs.token', 'indexes.followed_from'],
    ...['indexes.has_tables', 'passages.own', 'vectors.own', 'chunks.own'],
    ...['saved_indexes', 'saved_parts', 'indexes.asked', 'indexes.asked_at'],
    ...[
      'request_windows',
      'nodes',
      'lanes',
      'lane_waiters',
      'flow_turns',
      'owner_turns',
      'chat_runs',
      'jobs.cancel_asked',
    ],
  ],
} as const

/** The types of the columns of a table, by name. */
export const typesOf = ({ columns }: MovedTable): [string, CopyType][] =>
  Object.entries(columns).map(([name, column]) => [name, typeof column === 'string' ? column : column.type])

/** What is selected for each column. */
export const selected = ({ columns }: MovedTable, database: 'sqlite' | 'postgres'): string[] =>
  Object.entries(columns).map(([name, column]) => {
    if (typeof column === 'string') return name
    const { sql, sqlite } = column
    const expression = (database === 'sqlite' ? sqlite : undefined) ?? sql
    return expression === undefined ? name : `${expression} AS ${name}`
  })
