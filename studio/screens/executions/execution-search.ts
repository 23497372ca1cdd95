import type { Execution, ExecutionFilter, ExecutionState } from '../../server/executions.ts'

/** What the address of the list of executions holds: the filter, the page, and the execution that is open. */
export type ExecutionSearch = {
  /** A part of the question. */
  q?: string | undefined
  flow?: string | undefined
  state?: ExecutionState | undefined
  /** Days, such as 2026-03-01; both are included. */
  from?: string | undefined
  to?: string | undefined
  page?: number | undefined
  open?: string | undefined
}

export const STATES: Record<ExecutionState, string> = {
  INPROGRESS: 'Running',
  STOPPED: 'Waits',
  FINISHED: 'Finished',
  ERROR: 'Failed',
  TERMINATED: 'Stopped',
}

/** The state of an execution as a word. */
export const stateWord = ({ state, failure }: Pick<Execution, 'state' | 'failure'>): string =>
  failure?.code === 'lost' ? 'Lost' : STATES[state]

/** Reads the query string of the address; what cannot be is left out. */
export function readExecutionSearch(search: Record<string, unknown>): ExecutionSearch {
  const { q, flow, state, from, to, page, open } = search
  const found = (Object.keys(STATES) as ExecutionState[]).find((one) => one === state)
  return {
    // A word of digits comes as a number.
    ...(q === undefined || q === '' ? {} : { q: String(q).slice(0, 200) }),
    ...(isText(flow) ? { flow } : {}),
    ...(found ? { state: found } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(isText(open) ? { open } : {}),
  }
}

/** The filter for the server. Days are those of the person, from midnight to midnight. */
export function filterOf({ q, flow, state, from, to }: ExecutionSearch): ExecutionFilter {
  return {
    search: q,
    agentflowId: flow,
    state,
    startDate: from && new Date(`${from}T00:00:00`).toISOString(),
    endDate: to && new Date(`${to}T23:59:59.999`).toISOString(),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isDay = (value: unknown): value is string =>
  isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
