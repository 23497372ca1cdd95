import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { elasticsearch, FIELDS, openSearch } from '../../src/stores/remote/search-dialects.ts'
import { queryVector } from '../support/clustered.ts'
import { languageQuestion } from '../support/language.ts'
import type { BareClient } from './bare-client.ts'

/** How many candidates a side gives to a query with the default settings. */
const LIMIT = 50

export const SEARCH_KINDS = ['vector', 'words', 'hybrid'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const askOurs = (store: ChunkStore, kind: SearchKind, at: number) =>
  store.search({
    limit: LIMIT,
    ...(kind === 'words' ? {} : { vector: queryVector(at) }),
    ...(kind === 'vector' ? {} : { text: languageQuestion(at) }),
  })

/** What a program asks by hand: ids only, as ours. */
export async function bareSearches(bare: BareClient): Promise<Record<SearchKind, (at: number) => object[]>> {
  const { version } = (await bare.call('GET', '/')) as { version: { number: string; distribution?: string } }
  const isOpenSearch = version.distribution === 'opensearch'
  const dialect = isOpenSearch ? openSearch(version.number) : elasticsearch(version.number)
  const common = { size: LIMIT, _source: false }
  const near = (at: number) => ({
    ...common,
    ...dialect.knn({ vector: Array.from(queryVector(at)), limit: LIMIT, filter: undefined }),
  })
  const worded = (at: number) => ({
    ...common,
    query: { match: { [FIELDS.text]: { query: languageQuestion(at) } } },
  })
  return {
    vector: (at) => [near(at)],
    words: (at) => [worded(at)],
    hybrid: (at) => [near(at), worded(at)],
  }
}
