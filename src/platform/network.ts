import type { Config } from '../kit/config.ts'
import { createEgress, type OpenEgress } from '../kit/egress/client.ts'
import { rulesOfSettings } from '../kit/egress/rules-of-settings.ts'
import { PLATFORM_PORT } from '../kit/settings.ts'
import { observedEgress } from '../observe/observed-egress.ts'
import type { Telemetry } from '../observe/telemetry.ts'
import type { Closing } from './closing.ts'

/**
 * Where the server listens, and the way out. Calls to the server itself are refused by its port.
 *
 * @param openEgress makes the client of all outgoing calls
 */
export function openNetwork(
  config: Config,
  telemetry: Telemetry,
  closing: Closing,
  openEgress: OpenEgress = createEgress,
) {
  // Known from the start, unless the system chooses it when the server listens.
  let ownPort = (config.PORT ?? PLATFORM_PORT) || undefined
  const rules = rulesOfSettings(config, () => ownPort)
  const egress = observedEgress(openEgress({ rules }), telemetry, config.TRACEPARENT_TO)
  closing.add('connections', () => egress.close())
  return {
    egress,
    notePort(url: string) {
      ownPort = Number(new URL(url).port) || 80
    },
  }
}
