import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, parseJson } from './json.ts'
import { reasonOf, SluiceError } from './errors.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { maskAddress } from './mask-address.ts'

/** How a setting is written as text and what it becomes. A reader throws an Error with the reason. */
type Kind<T> = { name: string; read(text: string, base: string): T }

const text: Kind<string> = { name: 'text', read: (value) => value }
/** A key travels in a header, which holds visible ASCII characters and blanks between them (RFC 9110, 5.5). */
export const isSendableKey = (key: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)
const key: Kind<string> = {
  name: 'text',
  read(value) {
    if (isSendableKey(value)) return value
    throw new Error('a key is one line of ASCII characters, without blanks or line breaks around it')
  },
}
const folder: Kind<string> = { name: 'folder', read: (value, base) => path.resolve(base, value) }
const list: Kind<string[]> = {
  name: 'comma list',
  read: (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
}
const folders: Kind<string[]> = {
  name: 'comma list',
  read: (value, base) => list.read(value, base).map((part) => path.resolve(base, part)),
}
const flag: Kind<boolean> = {
  name: 'true or false',
  read(value) {
    if (/^(true|1|yes|on)$/i.test(value)) return true
    if (/^(false|0|no|off)$/i.test(value)) return false
    throw new Error(`expected true or false, received ${JSON.stringify(value)}`)
  },
}
const count = (min: number, max: number): Kind<number> => ({
  name: `whole number, ${min} to ${max}`,
  read(value) {
    const number = Number(value)
    if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number
    throw new Error(`expected a whole number from ${min} to ${max}, received ${JSON.stringify(value)}`)
  },
})
const oneOf = <const T extends string>(values: readonly T[]): Kind<T> => ({
  name: values.join(', '),
  read(value) {
    const found = values.find((one) => one === value)
    if (found !== undefined) return found
    throw new Error(`expected one of ${values.join(', ')}, received ${JSON.stringify(value)}`)
  },
})

type Setting<T> = { kind: Kind<T>; fallback: T; secret?: true; about: string }
const setting = <T>(kind: Kind<T>, fallback: T, about: string, secret?: true): Setting<T> => ({
  kind,
  fallback,
  about,
  ...(secret ? { secret } : {}),
})

/** Every setting there is. `sluice config` prints this table with the values in force. */
export const SETTINGS = {
  PORT: setting<number | undefined>(
    count(0, 65535),
    undefined,
    'where to listen: 3000, the event service 5566; 0 takes a free port',
  ),
  HOST: setting(text, '127.0.0.1', 'the address to listen on'),
  ALLOWED_HOSTS: setting(
    list,
    [],
    'names or *.domains, besides its own, that the server answers to (the Host header); * for all',
  ),
  TRUST_PROXY: setting(
    list,
    [],
    'addresses or CIDR ranges of proxies whose X-Forwarded-For names the client',
  ),
  DATA_DIR: setting(folder, path.resolve('sluice-data'), 'the one folder that holds all embedded state'),
  ADMIN_KEY: setting<string | undefined>(key, undefined, 'the management key', true),
  DATABASE_URL: setting<string | undefined>(
    text,
    undefined,
    'PostgreSQL in place of the file in DATA_DIR (not in this version)',
  ),
  BLOB_URL: setting<string | undefined>(
    text,
    undefined,
    'where uploads wait, in place of DATA_DIR (not in this version)',
  ),
  MAX_UPLOAD_MB: setting(count(1, 1_048_576), 2048, 'the most one request may upload'),
  MAX_FILES: setting(count(1, 1_000_000), 5000, 'the most files one request may upload'),
  MAX_METADATA_KB: setting(count(1, 65_536), 16, 'the most metadata that one document may have, as JSON'),
  MIN_FREE_MB: setting(
    count(0, 1_048_576),
    100,
    'how much of the disk stays free: below it nothing more is taken in; 0 takes all',
  ),
  MAX_JOBS: setting(count(1, 1_000_000), 1000, 'the most jobs that may wait or run'),
  MAX_CONNECTIONS: setting(count(1, 1_000_000), 4096, 'the most connections at a time'),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    count(1, 1_000_000),
    1024,
    'the most connections of one address at a time; proxies of TRUST_PROXY have no such limit',
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
    'bytes a second that a request body must bring; 0 waits for ever',
  ),
  BODY_WAIT_S: setting(count(1, 3600), 10, 'over how many seconds MIN_BODY_RATE is measured'),
  WRONG_KEYS_PER_MINUTE: setting(
    count(1, 1_000_000),
    30,
    'how many wrong API keys one address may send a minute',
  ),
  LOG_LEVEL: setting<LogLevel>(oneOf(LOG_LEVELS), 'info', 'how much the log says'),
  EGRESS_ALLOW: setting(
    list,
    [],
    'hosts, *.domains, addresses or CIDR ranges that tools and loaders may call besides public ones',
  ),
  EGRESS_DENY: setting(list, [], 'the same, forbidden; wins over EGRESS_ALLOW'),
  MCP_ALLOW: setting(
    list,
    [],
    'hosts, *.domains, addresses or CIDR ranges of MCP servers that agents may use as tools; none unless listed',
  ),
  FOLDER_ALLOW: setting(folders, [], 'directories below which folder and database loaders may read'),
  ALLOW_OPEN_UPSERT: setting(
    flag,
    false,
    'let flows without a key take writes while listening beyond this machine',
  ),
  SECRET_KEY: setting<string | undefined>(
    text,
    undefined,
    'encrypts credentials; without it, the file secret.key in DATA_DIR does, made on first start',
    true,
  ),
  OPENAI_API_KEY: setting<string | undefined>(
    text,
    undefined,
    'the key for OPENAI_BASE_URL, where a node has none of its own',
    true,
  ),
  OPENAI_BASE_URL: setting(text, 'https://api.openai.com/v1', 'OpenAI, where a node names no other address'),
  ANTHROPIC_API_KEY: setting<string | undefined>(
    text,
    undefined,
    'the key for Anthropic, where a node has none of its own',
    true,
  ),
  GOOGLE_GENERATIVE_AI_API_KEY: setting<string | undefined>(
    text,
    undefined,
    'the key for Google, where a node has none of its own',
    true,
  ),
  OLLAMA_BASE_URL: setting(text, 'http://localhost:11434', 'Ollama, where a node names no other address'),
} as const

export type SettingName = keyof typeof SETTINGS
type Values = { -readonly [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never }
export type Origin = 'default' | 'sluice.config.json' | 'environment' | 'flag'

/** The settings in force, and where each came from. */
export type Config = Readonly<Values> & { readonly origins: Readonly<Record<SettingName, Origin>> }

/** What parts that speak to providers may know of the settings. */
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

/** The one place where the environment of the process is touched. */
export const processEnvironment: Texts = process.env

/** What the environment holds for flows: only names with this prefix, so that no flow can read the server's own secrets. */
export const flowEnvironment = (name: string, environment: Texts = processEnvironment): string | undefined =>
  environment[`SLUICE_VAR_${name}`]

/**
 * Where the person stands. npm runs a script in the folder of its package and tells by INIT_CWD where it was called; that
 * counts for our own scripts alone, not for those of a package that calls this program.
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
  /** Where `sluice.config.json` is looked for. */
  directory?: string
  /** What folders of flags and environment are relative to; `directory` unless given. */
  base?: string
}

/**
 * Reads the settings once: flags win over the environment, the environment over `sluice.config.json`, that over
 * the defaults. An empty text counts as not given.
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

/** The secrets among the settings that are set. */
export const secretsOf = (config: Config): string[] =>
  (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => 'secret' in SETTINGS[name] && config[name] !== undefined)
    .map((name) => String(config[name]))

export type ConfigRow = { name: string; value: string; origin: Origin; about: string }

/** The table `sluice config` prints: secrets show only whether they are set; passwords in addresses are masked. */
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

/** Whether an address means this machine only; a name may begin with 127 and mean another. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host)
