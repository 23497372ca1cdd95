import type { Run, RunLine } from '../server/runs.ts'
import { numberText } from './units.ts'

const STATES: Record<Run['state'], string> = {
  INPROGRESS: 'goes on',
  STOPPED: 'waits for a person',
  FINISHED: 'done',
  ERROR: 'failed',
  TERMINATED: 'stopped',
}

/** The state of a run in words. */
export const runStateWord = (state: Run['state']): string => STATES[state]

/** How much passed a line: `214 chunks`, `1 call`. Units are plurals that end in `s`. */
export const passedText = ({ count, unit }: RunLine): string =>
  `${numberText(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}`
