import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import { followJob, hasEnded } from '../../../server/jobs.ts'
import { startReindex } from '../../../server/refresh.ts'

/** Embeds all documents of a flow again, and says how it ended. */
export function useEmbedAgain(flow: string, stopNodeId: string | undefined) {
  const queries = useQueryClient()
  const [embedding, setEmbedding] = useState(false)

  async function embedAgain(): Promise<void> {
    setEmbedding(true)
    try {
      followJob(await startReindex(flow, stopNodeId), (job) => {
        if (!hasEnded(job)) return
        setEmbedding(false)
        if (job.state === 'done') tell('All documents are embedded again')
        else complain('The documents were not embedded again', job.error?.message)
        void queries.invalidateQueries({ queryKey: ['load-comparison', flow] })
      })
    } catch (failure) {
      setEmbedding(false)
      complain('The documents were not embedded again', messageOf(failure))
    }
  }

  return { embedding, embedAgain }
}
