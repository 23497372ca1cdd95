/**
 * A word of the house, and the names that a thing with this word must not have. A name is looked at in small letters with hyphens between its
 * words: `NodeTurn` and `node-turn.ts` are `node-turn`.
 */
export type HouseWord = {
  word: string
  /** One sentence; the same stands in docs/architecture.md. */
  meaning: string
  /** What another name for it looks like. Absent where nothing was ever mistaken for it. */
  second?: RegExp
  /** Where this is looked for, as the beginning of paths; everywhere unless given. */
  within?: readonly string[]
  /** Names that are right all the same: columns, names of other products, another thing. */
  but?: RegExp
}

const CODE = ['src/', 'test/', 'bench/', 'tools/']
/** Where a server and the servers beside it are meant, and no flow. */
const SERVERS = [
  'src/backend/',
  'src/blobs/',
  'src/contract/cluster',
  'src/contract/leases',
  'src/contract/job-queue',
  'src/db/postgres/',
  'src/jobs/runners/',
  'src/platform/loading',
  'src/stores/replica',
  'test/postgres/leases',
  'test/support/chaos/',
]
/** Where work waits for a namespace, and no conversation. */
const QUEUES = [
  'src/backend/',
  'src/contract/cluster',
  'src/contract/job',
  'src/contract/leases',
  'src/db/',
  'src/jobs/',
  'src/kit/',
  'src/platform/',
  'src/server/door/request',
  'src/server/request-way.ts',
  'src/server/route.ts',
  'src/stores/',
  'src/upsert/engine',
  'src/upsert/invisible-sweep',
]

/** The words of the house, in the order of the page. */
export const HOUSE_WORDS: readonly HouseWord[] = [
  { word: 'node', meaning: 'A node of the drawing of a flow.' },
  {
    word: 'cluster',
    meaning: 'The servers that share one PostgreSQL database.',
    second: /(^|-)nodes(-|$)/,
    within: SERVERS,
    but: /^nodes$/,
  },
  {
    word: 'member',
    meaning:
      'One server of a cluster, as the others see it: a connection that says again and again that it is alive.',
    second: /(^|-)node(-|$)/,
    within: SERVERS,
    but: /^(node|node-js|node-services|node-compile-cache)$/,
  },
  {
    word: 'namespace',
    meaning: 'The chunks that are searched together; one job of it runs at a time.',
    second: /(^|-)lanes?(-|$)/,
    within: QUEUES,
    but: /^lanes?$/,
  },
  {
    word: 'lease',
    meaning:
      'The right to change a namespace: one piece of work has it at a time, and in a cluster one member, until it gives it back or is gone.',
    second: /(^|-)turns?(-|$)/,
    within: QUEUES,
    but: /^(turn|turns|in-turns|own-turn|pass-turn|count-turns|is-between-turns|job-turn|turn-lost)$/,
  },
  {
    word: 'attempt',
    meaning: 'One try to do a job; a retry, or the end of its server, begins the next one.',
  },
  {
    word: 'turn',
    meaning:
      'One question and its answer in a conversation, or one answer of a model with its calls; of the event loop, one round.',
  },
  {
    word: 'ledger',
    meaning: 'What knows of a namespace which chunks exist and which of them readers see.',
    second: /source-ledger/,
  },
  {
    word: 'engine',
    meaning: 'A room that runs parts; with *vector* before it, what keeps vectors and finds candidates.',
  },
  {
    word: 'postgres',
    meaning:
      'The database of a cluster; a card, an engine or stores over it have names of their own (`pgvector`, `replicaStores`).',
    second: /postgres/,
    within: ['src/nodes/', 'src/stores/'],
    but: /^postgres-(api|database|ledger|pool|record-manager)$/,
  },
  {
    word: 'replica',
    meaning:
      'The copy of the searched indexes that a member has in SQLite; each index that it has fetched has a database of its own.',
  },
  { word: 'passage', meaning: 'A text, once per index, with its vector and its terms.' },
  { word: 'chunk', meaning: 'A passage in a source, with metadata.' },
  {
    word: 'run',
    meaning:
      'The writing of one upsert into a ledger: open, published or abandoned; of an answer, all that is done for it.',
  },
  {
    word: 'delete',
    meaning: 'Rows, files or points are gone for good, at once.',
    second: /(^|-)(erase|purge|wipe)(-|$)/,
    within: ['src/'],
    but: /^erase$/,
  },
  {
    word: 'remove',
    meaning:
      'What a caller names is found no more; of documents and indexes the rows stay until a sweep, and what can be restored says so.',
    second: /(^|-)(retire|discard|reap)(d|s|ed)?(-|$)/,
    within: CODE,
    but: /^retired$/,
  },
  {
    word: 'drop',
    meaning:
      'A whole that can be made again is given up: a copy, a cache, a collection; or something is left out before it is stored.',
    second: /(^|-)forget(-|$)/,
    within: ['src/', 'tools/'],
  },
  {
    word: 'sweep',
    meaning:
      'Nobody has asked for it: what no reader sees and no job needs any more is looked for and deleted, in the background and in steps.',
    second: /(^|-)(tidy|tidying|prune|prunes|pruned)(-|$)/,
    within: CODE,
    but: /^prune$/,
  },
  {
    word: 'release',
    meaning: 'A right, a place or a lock is given back; nothing is deleted.',
    second: /give-(.*-)?back(-|$)/,
    within: ['src/'],
  },
  {
    word: 'abandon',
    meaning:
      'Work that has begun is given up without its outcome: a run, a job that this process does not end.',
  },
]
