import { useQuery } from '@tanstack/react-query'
import { ServerFailure } from '../../../server/call.ts'
import { readSourceQuestions, readSourceTrace } from '../../../server/documents.ts'
import { listFailedFiles } from '../../../server/failed-files.ts'

/** The most places with words in no chunk that are shown. */
const MOST_PLACES = 1000

type Traced = {
  flow: string
  source: string
  /** Only of the newest version it is known where the words of a document went. */
  isNewest: boolean
  /** Whether the flow has the document. */
  exists: boolean
}

/** Where the words of a document went, which questions have found them, and why its last load failed, where it did. */
export function useTrace({ flow, source, isNewest, exists }: Traced) {
  const enabled = isNewest && exists
  const trace = useQuery({
    queryKey: ['trace', flow, source],
    queryFn: () => readSourceTrace(flow, { source, page: 1, limit: MOST_PLACES }),
    enabled,
  })
  // A session that may not read conversations sees the chunks without them.
  const questions = useQuery({
    queryKey: ['questions of source', flow, source],
    queryFn: () => readSourceQuestions(flow, { source }),
    enabled,
  })
  const failed = useQuery({
    queryKey: ['failed', flow, 'one', source],
    queryFn: async () =>
      (await listFailedFiles(flow, { search: source.slice(0, 200), page: 1, limit: 100 })).data.find(
        ({ file }) => file === source,
      ) ?? null,
  })
  const isUnknown = trace.error instanceof ServerFailure && trace.error.status === 404
  return {
    trace: isNewest ? trace.data : undefined,
    isPending: trace.isPending && enabled,
    error: isUnknown ? null : trace.error,
    again: trace.refetch,
    questions: questions.data,
    failed: failed.data ?? undefined,
  }
}
