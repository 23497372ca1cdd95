import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChunkList } from '../../../parts/chunk-list.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { countText } from '../../../parts/units.ts'
import { listStoredChunks } from '../../../server/upserts.ts'
import styles from '../../../parts/upsert.module.css'
import { LoadFailure } from '../../../parts/load-failure.tsx'

const LIMIT = 20

/** The chunks that the store has of a file, page by page. */
export function StoredChunks({ flowId, source }: { flowId: string; source: string }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: ['stored-chunks', flowId, source, page],
    queryFn: () => listStoredChunks(flowId, source, { page, limit: LIMIT }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={styles.storedChunks} aria-label={`Chunks of ${source}`}>
      <h3 title={source}>
        {data ? `${countText(data.total, 'chunk')} of ` : ''}
        {source}
      </h3>
      <LoadFailure error={error} onAgain={refetch} />
      <ChunkList
        label="Chunks"
        chunks={(data?.data ?? []).map(({ pageContent, metadata }) => ({ text: pageContent, metadata }))}
      />
      <Pager page={page} limit={LIMIT} total={data?.total ?? 0} of="chunks" onPage={setPage} />
    </section>
  )
}
