import type { World } from './world.ts'

/** A sentence for the person at the terminal. Where a machine reads along, the log has said it already. */
export function announce({ stderr }: World, sentence: string): void {
  if (stderr.isTTY) stderr.write(`${sentence}\n`)
}

/** How this very program is called again, as it was installed: from a checkout npm must be asked for its Node. */
export function invocation({ packageRoot }: World): string {
  return packageRoot.pathname.includes('/node_modules/') ? 'npx sluice' : 'npm run -s sluice --'
}
