import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListedChunkPage } from '../../../../src/api/source.ts'
import { CHUNKS_PER_PAGE } from './document-search.ts'

/** The first chunk behind a position, and its page of chunks; undefined while there is no position, or the page is not loaded. */
export function useChunkAt(
  { data, isPlaceholderData }: UseQueryResult<ListedChunkPage>,
  at: number | undefined,
): { chunk: string; page: number } | undefined {
  return useMemo(() => {
    if (at === undefined || data === undefined || isPlaceholderData) return undefined
    const found = data.data.find(({ range }) => range !== null && range.end > at) ?? data.data.at(-1)
    return found && { chunk: found.id, page: Math.floor(data.offset / CHUNKS_PER_PAGE) + 1 }
  }, [data, isPlaceholderData, at])
}
