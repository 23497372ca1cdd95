import type { World } from './world.ts'

/** Writes a sentence for a person, if standard error is a terminal. For programs the log has the same fact. */
export function announce({ stderr }: World, sentence: string): void {
  if (stderr.isTTY) stderr.write(`${sentence}\n`)
}

/** How to call this program, depending on its installation: in a checkout by npm, whose Node.js is new enough. */
export function invocation({ packageRoot }: World): string {
  return packageRoot.pathname.includes('/node_modules/') ? 'npx sluice' : 'npm run -s sluice --'
}
