import type { Run } from '../server/runs.ts'

const STATES: Record<Run['state'], string> = {
  INPROGRESS: 'goes on',
  STOPPED: 'waits for a person',
  FINISHED: 'done',
  ERROR: 'failed',
  TERMINATED: 'stopped',
}

/** The state of a run in words. */
export const runStateWord = (state: Run['state']): string => STATES[state]
