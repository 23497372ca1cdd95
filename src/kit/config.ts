import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, parseJson } from './json.ts'
import { reasonOf, SluiceError } from './errors.ts'
import { maskAddress } from './mask-address.ts'
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts'

export type Origin = 'default' | 'sluice.config.json' | 'environment' | 'flag'

/** The values of all settings, and the origin of each. */
export type Config = Readonly<SettingValues> & { readonly origins: Readonly<Record<SettingName, Origin>> }

/** The settings for parts that call providers. */
export type ProviderSettings = Pick<
  Config,
  | 'ENGINE_TIMEOUT'
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
  return { ...(values as SettingValues), origins: origins as Config['origins'] }
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
