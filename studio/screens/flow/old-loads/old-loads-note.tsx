import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { drawGraph } from '../../../drawing/graph.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { hasEnded } from '../../../server/jobs.ts'
import { compareLoads } from '../../../server/refresh.ts'
import { useEditorState } from '../editor.ts'
import { storesToLoad } from '../upsert/participants.ts'
import { useUpserting } from '../upsert/upserting.tsx'
import styles from './old-loads.module.css'
import { differenceTexts, neededText } from './old-loads-text.ts'
import { useEmbedAgain } from './use-embed-again.ts'

type OldLoadsProps = {
  flow: string
  /** The saved version: it is compared again when there is a new one. */
  revision: number
  /** The vector store, where the flow has several. */
  stopNodeId?: string | undefined
}

/** Within the upsert dialog: which documents were loaded with other settings than the live flow has, and the one action that helps. */
export function OldLoadsNote({ flow, revision, stopNodeId }: OldLoadsProps) {
  const { upsert } = useUpserting()
  const saved = useEditorState((state) => state.history.saved)
  const kinds = useEditorState((state) => state.kinds)
  const stores = useMemo(() => storesToLoad(drawGraph(saved, kinds)).length, [saved, kinds])
  const { embedding, embedAgain } = useEmbedAgain(flow, stopNodeId)
  const busy = upsert.sent !== undefined || (upsert.job !== undefined && !hasEnded(upsert.job))
  const { data } = useQuery({
    queryKey: ['load-comparison', flow, revision, stopNodeId],
    queryFn: () => compareLoads(flow, { stopNodeId }),
    enabled: stores === 1 || stopNodeId !== undefined,
    // A flow without a vector store, or one that cannot be built, has nothing to compare.
    retry: false,
  })
  if (!data || data.next === null || busy) return null
  const needed = neededText(data)
  const action =
    data.next === 'reindex' ? (
      <Button disabled={embedding} onClick={() => void embedAgain()}>
        {embedding ? 'Embedding…' : 'Embed again'}
      </Button>
    ) : data.next === 'refresh' ? (
      <Button onClick={() => void upsert.start({ files: [], stopNodeId, refresh: true })}>Load again</Button>
    ) : null
  return (
    <section className={styles.within} aria-label="Changed settings">
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
