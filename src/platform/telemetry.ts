import { readFile } from 'node:fs/promises'
import { type Config, secretsOf } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { maskedLog } from '../kit/masked-log.ts'
import { createSecretMask } from '../kit/secret-mask.ts'
import { createPlatformMetrics } from '../observe/platform-metrics.ts'
import { tracerOf } from '../observe/tracing/tracer-of.ts'
import type { Closing } from './closing.ts'

/** The most secrets that are masked in logs and failures. */
const MOST_SECRETS = 1000

/** The shortest secret of only letters that is masked, in characters. */
const SHORTEST_WORD = 8

/** A log in which secrets are masked, metrics and traces. `mask` masks secrets in all failures of the server. */
export async function openTelemetry(config: Config, givenLog: Log, packageRoot: URL, closing: Closing) {
  const mask = createSecretMask({ most: MOST_SECRETS, shortestWord: SHORTEST_WORD })
  for (const secret of secretsOf(config)) mask.add(secret)
  const log = maskedLog(givenLog, mask)
  const metrics = createPlatformMetrics()
  const version = await packageVersion(packageRoot)
  const tracer = await tracerOf(config, version, log)
  closing.add('traces', () => tracer.close())
  return { mask, log, version, telemetry: { metrics, tracer } }
}

export type OpenTelemetry = Awaited<ReturnType<typeof openTelemetry>>

async function packageVersion(packageRoot: URL): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8')) as {
    version: string
  }
  return version
}
