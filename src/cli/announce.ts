import type { Log } from '../kit/log.ts'
import type { World } from './world.ts'

/** A sentence for the person at the terminal; for the machine that reads the log, a line of it. */
export function announce({ stderr }: World, log: Log, event: string, sentence: string): void {
  if (stderr.isTTY) stderr.write(`${sentence}\n`)
  else log.info(event, { message: sentence })
}

/** How this very program is called again, as it was installed: from a checkout npm must be asked for its Node. */
export function invocation({ packageRoot }: World): string {
  return packageRoot.pathname.includes('/node_modules/') ? 'npx sluice' : 'npm run -s sluice --'
}
