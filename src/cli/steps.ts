import type { Paint } from './paint.ts'
import { shorten } from './printable.ts'
import type { World } from './world.ts'

/** The progress of work in several steps, in one line of a terminal that is overwritten. */
export type Steps = {
  show(name: string, done: number, total: number): void
  end(): void
  [Symbol.dispose](): void
}

const EVERY_MS = 100

/** Shows steps on standard error, if that is a terminal. */
export function showSteps(
  { stderr }: Pick<World, 'stderr'>,
  paint: Paint,
  now = () => performance.now(),
): Steps {
  let drawnAt = -Infinity
  const end = () => {
    if (drawnAt > -Infinity) stderr.write('\r\u001b[K')
    drawnAt = -Infinity
  }
  return {
    show(name, done, total) {
      if (!stderr.isTTY || now() - drawnAt < EVERY_MS) return
      drawnAt = now()
      const share = total === 0 ? 100 : Math.floor((done / total) * 100)
      const line = `${name} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} · ${share} %`
      stderr.write(`\r\u001b[K${paint('cyan', shorten(line, (stderr.columns || 80) - 1))}`)
    },
    end,
    [Symbol.dispose]: end,
  }
}
