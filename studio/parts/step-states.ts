import { CircleAlert, CircleCheck, CircleStop, Hourglass, LoaderCircle } from 'lucide-react'

/** The icon and the word for each state of a step of a run. */
export const STEP_STATES = {
  INPROGRESS: { icon: LoaderCircle, word: 'running' },
  FINISHED: { icon: CircleCheck, word: 'finished' },
  STOPPED: { icon: Hourglass, word: 'waits for a person' },
  ERROR: { icon: CircleAlert, word: 'failed' },
  TERMINATED: { icon: CircleStop, word: 'stopped' },
}
