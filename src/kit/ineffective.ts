import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Config, isLoopback } from './config.ts'
import type { SettingName } from './settings.ts'
import { keysFor, readBlobUrl } from './blob-url.ts'
import { reasonOf, SluiceError } from './errors.ts'

/** A setting that is set and has no effect, and the reason. */
type Ineffective = { name: SettingName; reason: string }

/** The fewest characters of a key in the settings. */
const KEY_LENGTH = 16

const isBelow = (folder: string, root: string): boolean => {
  const relative = path.relative(root, folder)
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))
}

const CHECKS: readonly ((config: Config) => Ineffective | undefined)[] = [
  (config) => {
    if (config.BLOB_URL === undefined) return undefined
    try {
      keysFor(readBlobUrl(config.BLOB_URL), config)
      return undefined
    } catch (error) {
      return { name: 'BLOB_URL', reason: reasonOf(error) }
    }
  },
  ...(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const).map(
    (name) => (config: Config) => {
      // In the environment they may be those of other programs.
      if (config[name] === undefined || config.origins[name] === 'environment') return undefined
      if (config.BLOB_URL !== undefined && !readBlobUrl(config.BLOB_URL).keys) return undefined
      const reason = config.BLOB_URL === undefined ? 'BLOB_URL is not set' : 'BLOB_URL has keys of its own'
      return { name, reason: `it has no effect: ${reason}` }
    },
  ),
  ({ DATABASE_URL, SECRET_KEY }) => {
    if (DATABASE_URL === undefined || SECRET_KEY !== undefined) return undefined
    const reason =
      'it needs SECRET_KEY, the same on every node: the secret must not be beside what it encrypts'
    return { name: 'DATABASE_URL', reason }
  },
  ({ DATABASE_URL, DATABASE_DIRECT_URL }) => {
    if (DATABASE_DIRECT_URL === undefined) return undefined
    const name = 'DATABASE_DIRECT_URL'
    if (DATABASE_URL === undefined) return { name, reason: 'it has no effect without DATABASE_URL' }
    if (DATABASE_URL !== DATABASE_DIRECT_URL) return undefined
    return { name, reason: 'it has no effect: DATABASE_URL is the same address' }
  },
  ({ DATABASE_URL, WARM, origins }) =>
    // In the environment it may be that of another program.
    DATABASE_URL === undefined && WARM > 0 && !['default', 'environment'].includes(origins.WARM)
      ? { name: 'WARM', reason: 'it has no effect without DATABASE_URL' }
      : undefined,
  ...(['ADMIN_KEY', 'METRICS_KEY'] as const).map((name) => (config: Config) => {
    if ((config[name]?.length ?? KEY_LENGTH) >= KEY_LENGTH) return undefined
    return { name, reason: `it has fewer than ${KEY_LENGTH} characters and could be guessed` }
  }),
  ({ METRICS_KEY, ADMIN_KEY }) => {
    if (METRICS_KEY === undefined || METRICS_KEY !== ADMIN_KEY) return undefined
    return { name: 'METRICS_KEY', reason: 'it is the same as ADMIN_KEY, which reads the metrics anyway' }
  },
  ({ TRACEPARENT_TO, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }) => {
    const collector = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT
    if (TRACEPARENT_TO.length === 0 || collector !== undefined) return undefined
    return { name: 'TRACEPARENT_TO', reason: 'it has no effect without OTEL_EXPORTER_OTLP_ENDPOINT' }
  },
  ({ ACCESS_LOG, LOG_LEVEL }) => {
    if (!ACCESS_LOG || LOG_LEVEL === 'info' || LOG_LEVEL === 'debug') return undefined
    return {
      name: 'ACCESS_LOG',
      reason: `it has no effect while LOG_LEVEL is ${LOG_LEVEL}: its lines have the level info`,
    }
  },
  ({ ALLOW_OPEN_UPSERT, HOST, TRUST_PROXY }) => {
    if (!ALLOW_OPEN_UPSERT || !isLoopback(HOST) || TRUST_PROXY.length > 0) return undefined
    const reason = `it has no effect while HOST is ${HOST}: only this machine can reach the server, and open flows take writes anyway`
    return { name: 'ALLOW_OPEN_UPSERT', reason }
  },
  ...(['EGRESS_ALLOW', 'MCP_ALLOW'] as const).map((name) => (config: Config) => {
    const denied = config[name].find((place) => config.EGRESS_DENY.includes(place))
    if (denied === undefined) return undefined
    return { name, reason: `${denied} has no effect: EGRESS_DENY lists it too, and wins` }
  }),
  ({ TESSERACT }) => {
    if (!path.isAbsolute(TESSERACT) || existsSync(TESSERACT)) return undefined
    return { name: 'TESSERACT', reason: `it has no effect: there is no file ${TESSERACT}` }
  },
  ({ TESSERACT, origins }) => {
    if (TESSERACT !== 'off' || origins.OCR_PAGES === 'default') return undefined
    return { name: 'OCR_PAGES', reason: 'it has no effect while TESSERACT is off' }
  },
  ({ FOLDER_ALLOW, DATA_DIR }) => {
    const folder = FOLDER_ALLOW.find((one) => isBelow(path.resolve(one), DATA_DIR))
    if (folder === undefined) return undefined
    return {
      name: 'FOLDER_ALLOW',
      reason: `${folder} has no effect: it is in DATA_DIR, which loaders never read`,
    }
  },
]

/**
 * Refuses settings without effect, alone or together with others: the user expects an effect.
 *
 * @throws SluiceError `config_invalid`, naming the first such setting
 */
export function refuseIneffective(config: Config): void {
  for (const check of CHECKS) {
    const found = check(config)
    if (found) throw new SluiceError('config_invalid', found)
  }
}
