import { setImmediate } from 'node:timers/promises'
import { flowParams } from '../../api/params.ts'
import { fieldList, fieldListQuery } from '../../api/source.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import { metadataFieldsOf } from '../../vector/metadata-fields.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { storeForCaller } from '../stored-flow.ts'

/** Chunks of a page, and pages, of a sample. */
const SAMPLE = { chunks: 100, pages: 10 }
/** A page behind this chunk takes long to find. */
const LAST_SAMPLED = 100_000

/** What a filter can name. */
export function metadataFieldRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/vector/fields/:flowId',
      summary:
        'The metadata fields of the chunks of a flow, from a sample of up to 1,000 chunks, for filters',
      tag: 'vectors',
      work: 'short',
      access: { flow: 'query', or: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: fieldListQuery,
      answer: { description: 'The fields, the most frequent first', shape: fieldList },
      async handle({ flow, query, fence }) {
        return sampleFields(storeForCaller(platform, flow, query, await fence()))
      },
    }),
  ]
}

/** The fields of chunks at places that are spread over the store. */
async function sampleFields(store: ChunkStore) {
  const { chunks: limit, pages } = SAMPLE
  const first = await store.chunks({ offset: 0, limit })
  const found = [first.rows]
  const end = Math.min(first.total, LAST_SAMPLED)
  const step = Math.max(limit, Math.floor(end / pages))
  for (let offset = step; offset < end && found.length < pages; offset += step)
    // A page behind many sources takes some milliseconds: others come in between.
    found.push((await setImmediate().then(() => store.chunks({ offset, limit }))).rows)
  const rows = found.flat()
  return {
    data: metadataFieldsOf(rows.map(({ metadata }) => metadata)),
    sampled: rows.length,
    total: first.total,
  }
}
