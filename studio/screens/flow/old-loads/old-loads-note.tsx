import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { drawGraph } from '../../../drawing/graph.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import { followJob, hasEnded } from '../../../server/jobs.ts'
import { compareLoads, startReindex } from '../../../server/refresh.ts'
import { useEditorState } from '../editor.ts'
import { storesToLoad } from '../upsert/participants.ts'
import { useUpserting } from '../upsert/upserting.tsx'
import styles from './old-loads.module.css'
import { differenceTexts, neededText } from './old-loads-text.ts'

type OldLoadsProps = {
  flow: string
  /** The saved version: it is compared again when there is a new one. */
  revision: number
  /** The vector store, where the flow has several. */
  stopNodeId?: string | undefined
  /** Over the canvas, it is a bar at the top. */
  floating?: boolean
  /** Within the upsert dialog, the files are chosen below. */
  inDialog?: boolean
}

/** Says which documents were loaded with other settings than the saved flow has, and offers the one action that helps. */
export function OldLoadsNote({ flow, revision, stopNodeId, floating, inDialog }: OldLoadsProps) {
  const { upsert, setOpened } = useUpserting()
  const queries = useQueryClient()
  const saved = useEditorState((state) => state.history.saved)
  const kinds = useEditorState((state) => state.kinds)
  const stores = useMemo(() => storesToLoad(drawGraph(saved, kinds)).length, [saved, kinds])
  const [embedding, setEmbedding] = useState(false)
  const busy = upsert.sent !== undefined || (upsert.job !== undefined && !hasEnded(upsert.job))
  const { data } = useQuery({
    queryKey: ['load-comparison', flow, revision, stopNodeId],
    queryFn: () => compareLoads(flow, stopNodeId),
    enabled: stores === 1 || stopNodeId !== undefined,
    // A flow without a vector store, or one that cannot be built, has nothing to compare.
    retry: false,
  })
  if (!data || data.next === null || busy) return null
  const needed = neededText(data)

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

  const action =
    data.next === 'reindex' ? (
      <Button disabled={embedding} onClick={() => void embedAgain()}>
        {embedding ? 'Embedding…' : 'Embed again'}
      </Button>
    ) : data.next === 'refresh' ? (
      <Button onClick={() => void upsert.start({ files: [], stopNodeId, refresh: true })}>Load again</Button>
    ) : inDialog ? null : (
      <Button onClick={() => setOpened('files')}>Send the files</Button>
    )
  return (
    <section className={floating ? styles.floating : styles.within} aria-label="Changed settings">
      <Note kind="warning">
        <div className={styles.line}>
          <span className={styles.text}>
            {differenceTexts(data).join(' ')} {data.next === 'reindex' ? null : needed}
          </span>
          {action}
        </div>
      </Note>
    </section>
  )
}
