import { after } from 'node:test'
import { createEgress } from '../../../src/kit/egress/client.ts'
import { createEgressRules } from '../../../src/kit/egress/rules.ts'
import {
  type EngineAccess,
  type EngineServer,
  engineServer,
} from '../../../src/stores/remote/engine-server.ts'

/** The waits between attempts in milliseconds, which no test makes. */
export const WAITS: number[] = []

const NO_WAIT = { attempts: 4, wait: async (ms: number) => void WAITS.push(ms), random: () => 0 }

/** The key that scripted servers are called with. */
export const KEY = 'a-key-of-the-engine'

/** A client of an engine's server that does not wait between attempts; its connections end with the test file. */
export function clientOf(
  baseURL: string,
  headers: Record<string, string> = { 'x-key': KEY },
  timeoutMs = 120_000,
): EngineServer {
  return clientBy({ baseURL, headers }, timeoutMs)
}

/** The same with all that a credential may say. */
export function clientBy(access: EngineAccess, timeoutMs = 120_000): EngineServer {
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  after(() => egress.close())
  return engineServer({
    ...{ egress, provider: 'The engine', keyHint: 'Check the key', retries: NO_WAIT, timeoutMs },
    open: async () => access,
  })
}
