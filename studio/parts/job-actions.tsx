import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw, X } from 'lucide-react'
import { messageOf } from '../server/call.ts'
import { cancelJob, hasEnded, type Job, retryJob } from '../server/jobs.ts'
import { Button } from './button.tsx'
import { kindText } from './job-text.ts'
import { complain } from './toast.tsx'

/** Cancel for a job that waits or runs, and retry for one that did not end well. */
export function JobActions({ job, name }: { job: Job; name: string }) {
  const queries = useQueryClient()
  const act = (what: Promise<Job>, failure: string) =>
    void what.catch((error: unknown) => {
      complain(failure, messageOf(error))
      // It may have ended, or be gone.
      for (const queryKey of [['jobs'], ['job', job.id]]) void queries.invalidateQueries({ queryKey })
    })
  const text = `${kindText(job).toLowerCase()} of ${name}`
  if (!hasEnded(job))
    return (
      <Button
        aria-label={`Cancel the ${text}`}
        onClick={() => act(cancelJob(job.id), 'The job was not cancelled')}
      >
        <X aria-hidden="true" />
        Cancel
      </Button>
    )
  if (job.state === 'done') return null
  return (
    <Button
      aria-label={`Retry the ${text}`}
      onClick={() => act(retryJob(job.id), 'The job was not started again')}
    >
      <RotateCcw aria-hidden="true" />
      Retry
    </Button>
  )
}
