import { useQuery } from '@tanstack/react-query'
import { listChunks } from '../../../server/documents.ts'

type Sought = {
  flow: string
  source: string
  chunk: string | undefined
  /** Whether the newest version does not have the chunk. */
  isMissing: boolean
}

/** The earlier version of a document that has a chunk: a search also finds chunks that the newest version does not have. */
export function useVersionOfChunk({ flow, source, chunk, isMissing }: Sought): string | undefined {
  const { data } = useQuery({
    queryKey: ['version of chunk', flow, source, chunk],
    queryFn: () => listChunks(flow, { source, around: chunk!, page: 1, limit: 1 }),
    enabled: isMissing && chunk !== undefined,
  })
  return isMissing ? (data?.data.find(({ id }) => id === chunk)?.outdatedAt ?? undefined) : undefined
}
