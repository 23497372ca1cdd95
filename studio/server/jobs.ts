import type { JobAnswer } from '../../src/api/job.ts'
import { call, report } from './call.ts'

export type Job = JobAnswer

const one = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}`

export const hasEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running'

/** The newest upsert of a flow; undefined where there was none. */
export async function latestUpsert(flowId: string): Promise<Job | undefined> {
  const { data } = await call<{ data: Job[] }>('/api/v1/jobs', { query: { flowId, limit: 20 } })
  return data.find(({ kind }) => kind === 'upsert')
}

export const getJob = (id: string): Promise<Job> => call(one(id))
export const cancelJob = (id: string): Promise<Job> => call(`${one(id)}/cancel`, { method: 'POST' })
export const retryJob = (id: string): Promise<Job> => call(`${one(id)}/retry`, { method: 'POST' })

/**
 * Calls `onJob` with the job whenever it changes, until it has ended. The browser connects again by itself when the
 * connection is lost. Gives a function that ends it.
 */
export function followJob(id: string, onJob: (job: Job) => void): () => void {
  const events = new EventSource(`${one(id)}/events`)
  events.addEventListener('job', (event) => {
    report('answer')
    const job = JSON.parse((event as MessageEvent<string>).data) as Job
    onJob(job)
    if (hasEnded(job)) events.close()
  })
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) return report('no-answer')
    // A status other than 200: the session may have ended. A plain request finds out which.
    void getJob(id).then(onJob, () => undefined)
  })
  return () => events.close()
}
