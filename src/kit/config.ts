import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, parseJson } from './json.ts'
import { reasonOf, SluiceError } from './errors.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { SAMPLERS, type SamplerName } from './tracing.ts'
import { maskAddress } from './mask-address.ts'
import { SETTING_KINDS, type SettingKind } from './setting-kinds.ts'

const { text, program, key, postgresAddress, blobUrl, folder, list, folders, flag, count, share, oneOf } =
  SETTING_KINDS

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
  DRAIN_SECONDS: setting(
    count(0, 3600),
    0,
    'for how many seconds after SIGTERM requests are still taken, while /readyz answers 503, so that a proxy sends no more',
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
    'after how many days without a message a conversation is removed, with its documents; 0: never',
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
type Values = { -readonly [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never }
export type Origin = 'default' | 'sluice.config.json' | 'environment' | 'flag'

/** The values of all settings, and the origin of each. */
export type Config = Readonly<Values> & { readonly origins: Readonly<Record<SettingName, Origin>> }

/** The settings for parts that call providers. */
export type ProviderSettings = Pick<
  Config,
  | 'MCP_ALLOW'
  | 'OPENAI_API_KEY'
  | 'ANTHROPIC_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'GOOGLE_GENERATIVE_AI_API_KEY'
  | 'OLLAMA_BASE_URL'
>

type Texts = Partial<Record<string, string>>

/** The environment of the process. No other code reads it. */
export const processEnvironment: Texts = process.env

/** A variable of the environment for flows. It needs this prefix, so that no flow can read the server's secrets. */
export const flowEnvironment = (name: string, environment: Texts = processEnvironment): string | undefined =>
  environment[`SLUICE_VAR_${name}`]

/**
 * The working directory of the user. npm runs a script in the folder of its package and sets INIT_CWD to the directory of
 * the call. INIT_CWD is used for scripts of this package only, not for those of a package that calls this program.
 *
 * @param packageRoot the folder of this package
 */
export function standingIn(packageRoot: URL, environment: Texts = processEnvironment): string {
  const { INIT_CWD, npm_package_json: script } = environment
  const own = script !== undefined && path.dirname(script) === path.resolve(fileURLToPath(packageRoot))
  return own && INIT_CWD ? INIT_CWD : process.cwd()
}

export type ConfigSources = {
  flags?: Texts
  environment?: Texts
  /** The folder of `sluice.config.json`. */
  directory?: string
  /** The base of relative folders in flags and environment; `directory` unless given. */
  base?: string
}

/**
 * Reads the settings. Flags win over the environment, the environment over `sluice.config.json`, and that over the
 * defaults. An empty text counts as not set.
 *
 * @throws SluiceError `config_invalid`, naming the setting
 */
export function readConfig(sources: ConfigSources = {}): Config {
  const { flags = {}, environment = processEnvironment, directory = process.cwd() } = sources
  const { base = directory } = sources
  const layers: [Origin, Texts][] = [
    ['flag', flags],
    ['environment', environment],
    ['sluice.config.json', readConfigFile(path.join(directory, 'sluice.config.json'))],
  ]
  const values: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  for (const [name, { kind, fallback }] of Object.entries(SETTINGS)) {
    const layer = layers.find(([, texts]) => (texts[name] ?? '') !== '')
    origins[name] = layer?.[0] ?? 'default'
    try {
      values[name] = layer
        ? kind.read(layer[1][name]!, layer[0] === 'sluice.config.json' ? directory : base)
        : fallback
    } catch (error) {
      throw new SluiceError('config_invalid', { name, reason: reasonOf(error) }, { cause: error })
    }
  }
  return { ...(values as Values), origins: origins as Config['origins'] }
}

function readConfigFile(file: string): Texts {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  const parsed = parseJson(content)
  if (!isObject(parsed))
    throw new SluiceError('config_invalid', { name: 'sluice.config.json', reason: 'it is not a JSON object' })
  const unknown = Object.keys(parsed).find((name) => !(name in SETTINGS))
  if (unknown) throw new SluiceError('config_invalid', { name: unknown, reason: 'there is no such setting' })
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : String(value),
    ]),
  )
}

/** The values of the secret settings that are set, and the passwords in addresses. */
export const secretsOf = (config: Config): string[] =>
  (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
    const value = config[name]
    if (value === undefined) return []
    return 'secret' in SETTINGS[name] ? [String(value)] : [value].flat().map(String).flatMap(passwordOf)
  })

function passwordOf(address: string): string[] {
  const password = URL.parse(address)?.password
  return password ? [decodeURIComponent(password)] : []
}

export type ConfigRow = { name: string; value: string; origin: Origin; about: string }

/** The rows of `sluice config`. Secrets show only whether they are set; passwords in addresses are masked. */
export function describeConfig(config: Config): ConfigRow[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const value = config[name]
    const set = value !== undefined && String(value) !== ''
    const shown = 'secret' in SETTINGS[name] ? '(set)' : [value].flat().map(String).map(maskAddress).join(',')
    return {
      name,
      value: set ? shown : '(not set)',
      origin: config.origins[name],
      about: SETTINGS[name].about,
    }
  })
}

/** Whether an address is of this machine only. A name may also begin with 127. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host)
