import path from 'node:path'
import { SAMPLERS, type SamplerName } from './tracing.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { SETTING_KINDS, type SettingKind } from './setting-kinds.ts'

const {
  text,
  program,
  key,
  postgresAddress,
  blobUrl,
  folder,
  list,
  folders,
  prices,
  flag,
  count,
  share,
  oneOf,
} = SETTING_KINDS

type Setting<T> = { kind: SettingKind<T>; fallback: T; secret?: true; about: string }
const setting = <T>(kind: SettingKind<T>, fallback: T, about: string, secret?: true): Setting<T> => ({
  kind,
  fallback,
  about,
  ...(secret ? { secret } : {}),
})

/** Where the server listens unless PORT is set. */
export const PLATFORM_PORT = 3000

/** All settings. `sluice config` prints this table with the current values. */
export const SETTINGS = {
  PORT: setting<number | undefined>(
    count(0, 65535),
    undefined,
    'the port to listen on: 3000, or 5566 for the event service; 0 takes a free port',
  ),
  HOST: setting(text, '127.0.0.1', 'the address to listen on'),
  ALLOWED_HOSTS: setting(
    list,
    [],
    'more names or *.domains that the Host header of requests may have; * for all',
  ),
  TRUST_PROXY: setting(
    list,
    [],
    'addresses or CIDR ranges of proxies whose X-Forwarded-For names the client',
  ),
  DATA_DIR: setting(
    folder,
    path.resolve('sluice-data'),
    'the folder of the database, the uploads and the secret',
  ),
  BACKUP: setting(
    flag,
    true,
    'copies the database into backups in DATA_DIR before a newer version changes its schema',
  ),
  ADMIN_KEY: setting<string | undefined>(key, undefined, 'the management key', true),
  DATABASE_URL: setting<string | undefined>(
    postgresAddress,
    undefined,
    'the PostgreSQL database of this server, instead of the file in DATA_DIR',
  ),
  DATABASE_DIRECT_URL: setting<string | undefined>(
    postgresAddress,
    undefined,
    'the address of the same database without the pooler, where DATABASE_URL leads to a pooler in transaction mode',
  ),
  BLOB_URL: setting<string | undefined>(
    blobUrl,
    undefined,
    'an S3 bucket for uploads, files of documents and lists of dry runs instead of DATA_DIR: s3://HOST/BUCKET/FOLDER',
  ),
  AWS_ACCESS_KEY_ID: setting<string | undefined>(
    key,
    undefined,
    'the access key for BLOB_URL, unless it has one',
  ),
  AWS_SECRET_ACCESS_KEY: setting<string | undefined>(key, undefined, 'the secret key for BLOB_URL', true),
  AWS_SESSION_TOKEN: setting<string | undefined>(
    key,
    undefined,
    'the session token of these keys, if they are temporary',
    true,
  ),
  MAX_UPLOAD_MB: setting(count(1, 1_048_576), 2048, 'the most one request may upload'),
  MAX_FILES: setting(count(1, 1_000_000), 5000, 'the most files one request may upload'),
  MAX_METADATA_KB: setting(count(1, 65_536), 16, 'the most metadata that one document may have, as JSON'),
  TESSERACT: setting(
    program,
    'tesseract',
    'the program that reads scanned pages of PDFs: tesseract, its path, or off',
  ),
  OCR_PAGES: setting(count(1, 100_000), 500, 'the most scanned pages that are read of one PDF'),
  MIN_FREE_MB: setting(
    count(0, 1_048_576),
    100,
    'free disk space below which the server accepts no writes; 0 for no limit',
  ),
  MAX_JOBS: setting(count(1, 1_000_000), 1000, 'the most jobs that may wait or run'),
  MAX_JOBS_PER_KEY: setting<number | undefined>(
    count(1, 1_000_000),
    undefined,
    'the most jobs of one API key, or of one flow without a key, that may wait; unless set, a quarter of MAX_JOBS',
  ),
  MAX_COMPARE_TOKENS: setting(
    count(0, 1_000_000_000_000),
    1_000_000,
    'the most tokens that one comparison of variants may send to embedders of others',
  ),
  MAX_COMPARE_MB: setting(
    count(1, 1_048_576),
    1024,
    'the most disk space of the temporary indexes of one comparison of variants',
  ),
  MAX_COMPARE_MINUTES: setting(count(1, 10_080), 60, 'the longest that one comparison of variants may take'),
  ENGINE_TIMEOUT: setting(
    count(1, 3600),
    60,
    'for how many seconds a request waits for a vector engine in another server; jobs wait up to an hour',
  ),
  DRAIN_SECONDS: setting(
    count(0, 3600),
    0,
    'for how many seconds after SIGTERM requests are still taken, while /readyz answers 503, so that a proxy sends no more',
  ),
  WARM: setting(
    count(0, 10_000),
    8,
    'how many namespaces, those that are asked most, are loaded after a start with DATABASE_URL, before /readyz says ready; a minute at most',
  ),
  IMAGE_MEMORY: setting<number | undefined>(
    count(1, 16_777_216),
    undefined,
    'the most memory for the vectors that searches compare, in MB; unless set, half of the memory with DATABASE_URL, else no limit',
  ),
  MAX_CONNECTIONS: setting(count(1, 1_000_000), 4096, 'the most connections at a time'),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    count(1, 1_000_000),
    1024,
    'the most connections of one address at a time; proxies of TRUST_PROXY have no such limit',
  ),
  MAX_REQUESTS: setting(
    count(1, 1_000_000),
    2048,
    'the most requests at a time, in work or waiting for their turn; three quarters of them of one API key, or of one address without a key',
  ),
  MAX_REQUESTS_IN_WORK: setting(
    count(1, 1_000_000),
    64,
    'how many queries are in work at a time, the same share of them of one key; others wait for their turn',
  ),
  BODY_MEMORY_MB: setting(count(1, 1_048_576), 256, 'the most memory for request bodies at a time'),
  BODY_MEMORY_PER_ADDRESS_MB: setting(
    count(1, 1_048_576),
    128,
    'the most memory for request bodies of one address at a time',
  ),
  MIN_BODY_RATE: setting(
    count(0, 1_000_000_000),
    1024,
    'the lowest speed of a request body, in bytes per second; 0 for no limit',
  ),
  BODY_WAIT_S: setting(count(1, 3600), 10, 'over how many seconds MIN_BODY_RATE is measured'),
  ANSWER_WAIT_S: setting(
    count(1, 86_400),
    60,
    'after how many seconds in which a client takes nothing of its answer the connection is closed',
  ),
  WRONG_KEYS_PER_MINUTE: setting(
    count(1, 1_000_000),
    30,
    'how many wrong API keys one address may send a minute',
  ),
  LOG_LEVEL: setting<LogLevel>(oneOf(LOG_LEVELS), 'info', 'the lowest level of the lines in the log'),
  ACCESS_LOG: setting(flag, false, 'writes a line for each request into the log, at the level info'),
  METRICS_KEY: setting<string | undefined>(
    key,
    undefined,
    'a key that reads GET /metrics and nothing else; ADMIN_KEY reads it too',
    true,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting<string | undefined>(
    text,
    undefined,
    'the address of an OpenTelemetry collector; nothing is traced without it',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting<string | undefined>(
    text,
    undefined,
    'the same with its whole path, for traces only',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting<string | undefined>(
    text,
    undefined,
    'headers for the collector: name=value with commas between, values percent-encoded',
    true,
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(
    oneOf(['http/json']),
    'http/json',
    'how spans are sent to the collector',
  ),
  OTEL_SERVICE_NAME: setting(text, 'sluice', 'the name of this server in traces'),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    text,
    '',
    'facts about this server in traces: name=value with commas between',
  ),
  OTEL_TRACES_SAMPLER: setting<SamplerName>(
    oneOf(SAMPLERS),
    'parentbased_always_on',
    'which traces are recorded',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(share, 1, 'the share of traces that the samplers by ratio record'),
  OTEL_BSP_SCHEDULE_DELAY: setting(
    count(1, 3_600_000),
    5000,
    'how long spans wait before they are sent, in milliseconds',
  ),
  OTEL_SDK_DISABLED: setting(flag, false, 'true: nothing is traced'),
  TRACEPARENT_TO: setting(
    list,
    [],
    'hosts, *.domains, addresses or CIDR ranges that get the header traceparent; none unless listed',
  ),
  EGRESS_ALLOW: setting(
    list,
    [],
    'hosts, *.domains, addresses or CIDR ranges that flows may call besides public ones, each also with :port',
  ),
  EGRESS_DENY: setting(list, [], 'the same, but forbidden; wins over EGRESS_ALLOW'),
  MCP_ALLOW: setting(
    list,
    [],
    'hosts, *.domains, addresses or CIDR ranges of MCP servers that agents may use as tools; none unless listed',
  ),
  FOLDER_ALLOW: setting(folders, [], 'directories below which folder and database loaders may read'),
  ALLOW_OPEN_UPSERT: setting(
    flag,
    false,
    'allows requests from other machines to write to flows without an API key',
  ),
  STUDIO_DRAFTS: setting(
    flag,
    false,
    'a save of the studio makes a draft, which is live once it is published; else a save is live at once',
  ),
  EMBEDDING_PRICES: setting(
    prices,
    [],
    'what a million tokens of a model cost, for the preview of an upsert: text-embedding-3-small=0.02 USD',
  ),
  MAX_ORIGINALS_MB: setting(
    count(0, 1_048_576),
    10_240,
    'the most that files of documents may take, of flows that keep them',
  ),
  KEEP_REMOVED_DAYS: setting(
    count(0, 3650),
    30,
    'for how many days removed documents can be restored; 0: not at all',
  ),
  KEEP_CHATS_DAYS: setting(
    count(0, 36_500),
    0,
    'after how many days without a message (without a file, where it has no message) a conversation is removed, with its documents; 0: never',
  ),
  KEEP_LEADS_DAYS: setting(
    count(0, 36_500),
    0,
    'after how many days the contact details of visitors are removed; 0: never',
  ),
  SECRET_KEY: setting<string | undefined>(
    text,
    undefined,
    'the secret that encrypts credentials; by default the file secret.key in DATA_DIR has one',
    true,
  ),
  OPENAI_API_KEY: setting<string | undefined>(text, undefined, 'the default key for OPENAI_BASE_URL', true),
  OPENAI_BASE_URL: setting(text, 'https://api.openai.com/v1', 'the default address of OpenAI'),
  ANTHROPIC_API_KEY: setting<string | undefined>(text, undefined, 'the default key for Anthropic', true),
  GOOGLE_GENERATIVE_AI_API_KEY: setting<string | undefined>(
    text,
    undefined,
    'the default key for Google',
    true,
  ),
  OLLAMA_BASE_URL: setting(text, 'http://localhost:11434', 'the default address of Ollama'),
} as const

export type SettingName = keyof typeof SETTINGS
export type SettingValues = {
  -readonly [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never
}
