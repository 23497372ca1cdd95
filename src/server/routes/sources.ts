import { flowParams } from '../../api/params.ts'
import {
  chunkListQuery,
  chunkPage,
  originalQuery,
  sourceListQuery,
  sourcePage,
  sourceText,
  sourceTextQuery,
} from '../../api/source.ts'
import {
  chunkRemoval,
  chunkRemovalBody,
  chunkRemovalQuery,
  sourceRestore,
  sourceRestoreBody,
  sourceRestoreQuery,
} from '../../api/source-removal.ts'
import type { Conversation } from '../../contract/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import type { ListedChunk } from '../../contract/ledger.ts'
import type { SourceVersion } from '../../contract/source-version.ts'
import { estimateTokens } from '../../embed/token-estimate.ts'
import { SluiceError } from '../../kit/errors.ts'
import { flowFacts } from '../../kit/flow-facts.ts'
import { isObject } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import { emptyMeaning, parseFilter } from '../../vector/filter.ts'
import { requireOwnConversation } from '../chat/own-conversation.ts'
import { changedSettings } from '../changed-settings.ts'
import { filterOfText, refuseNearFilter } from '../filter-request.ts'
import { isoTime } from '../management.ts'
import { FILE_TYPE_FACTS } from '../../formats/file-types.ts'
import type { Platform } from '../platform.ts'
import { presentDropped } from '../present-dropped.ts'
import { type Call, type Route, route } from '../route.ts'
import { storeForCaller } from '../stored-flow.ts'
import { unlessStalled } from '../job-answer.ts'

type SourceCall = Pick<Call<unknown, unknown, unknown>, 'flow' | 'fence'>
type ConversationCall = Pick<Call<unknown, unknown, unknown>, 'flow' | 'fence' | 'caller'>

/** A listed chunk with its page, if its format has pages, and an estimate of its tokens. */
const presentChunk = ({ range, outdatedAt, ...chunk }: ListedChunk) => ({
  ...chunk,
  range: range ?? null,
  outdatedAt: outdatedAt === undefined ? null : isoTime(outdatedAt),
  pageNumber: pageNumberOf(chunk.metadata),
  tokens: estimateTokens(chunk.pageContent),
})

function pageNumberOf({ loc }: Metadata): number | null {
  const page = isObject(loc) ? (loc as Metadata).pageNumber : undefined
  return typeof page === 'number' ? page : null
}

/** @param version `newest`, or a moment in ISO 8601 */
const versionOf = (version: string): SourceVersion => (version === 'newest' ? version : Date.parse(version))

const isEmptyFilter = (filter: object | null | undefined) => Object.keys(filter ?? {}).length === 0

export function sourceRoutes(platform: Platform): Route[] {
  const storeOf = async ({ flow, fence }: SourceCall, request: Parameters<typeof storeForCaller>[2]) =>
    storeForCaller(platform, flow, request, await fence())

  /** Undefined for documents that belong to no conversation. @throws SluiceError `session_taken` */
  async function conversationOf(
    call: ConversationCall,
    chatId: string | null | undefined,
  ): Promise<Conversation | undefined> {
    await requireOwnConversation(platform, call, chatId)
    return chatId ? { flowId: call.flow.id, chatId } : undefined
  }

  return [
    route({
      method: 'GET',
      url: '/api/v1/vector/sources/:flowId',
      summary: 'The documents of a flow: searched, sorted; or those that were removed and can be restored',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: sourceListQuery,
      answer: { description: 'A page of documents', shape: sourcePage },
      async handle({ flow, fence, caller, query }) {
        const store = await storeOf({ flow, fence }, query)
        const { rows, total } = await store.sources({
          ...toRange(query),
          search: query.search,
          order: query.sort,
          descending: query.order === 'DESC',
          removedAt: query.removed ? Date.now() : undefined,
          conversation: await conversationOf({ flow, fence, caller }, query.chatId),
        })
        const { stopNodeId } = query
        const changesOf = await changedSettings(platform, flow, { store, rows, stopNodeId })
        return {
          data: rows.map(({ restorableUntil, settings, ...row }) => ({
            ...row,
            updatedAt: isoTime(row.updatedAt),
            changedSettings: changesOf({ ...row, settings }),
            ...(restorableUntil === undefined ? {} : { restorableUntil: isoTime(restorableUntil) }),
          })),
          total,
        }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/chunks/:flowId',
      summary: 'The chunks of a flow in order, of one document or of all',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: chunkListQuery,
      answer: {
        description: 'A page of chunks; their ids are those in answers to queries',
        shape: chunkPage,
      },
      async handle({ flow, fence, caller, query, spend }) {
        const { source, version, search, around, at } = query
        if (source === undefined && (search ?? around ?? at ?? version) !== undefined)
          throw new SluiceError('query_invalid', { reason: 'search, around, at and version need source' })
        if (around !== undefined && at !== undefined)
          throw new SluiceError('query_invalid', { reason: 'around and at name two pages' })
        if (search !== undefined) await spend('questions', 1)
        const { rows, total, offset } = await (await storeOf({ flow, fence }, query)).chunks({
          ...toRange(query),
          ...{ source, search, around, at, version: version === undefined ? undefined : versionOf(version) },
          conversation: await conversationOf({ flow, fence, caller }, query.chatId),
        })
        return { data: rows.map(presentChunk), total, offset }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/sources/:flowId/text',
      summary:
        'A part of the extracted text of one version of a document, put together from its chunks and what is known to be in none of them',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: sourceTextQuery,
      answer: { description: 'The part of the text, and the length of all of it', shape: sourceText },
      async handle({ flow, fence, caller, query }) {
        const { source, start, length, version } = query
        const found = await (await storeOf({ flow, fence }, query)).text({
          source,
          start,
          end: start + length,
          version: versionOf(version),
          conversation: await conversationOf({ flow, fence, caller }, query.chatId),
        })
        if (!found && version !== 'newest')
          throw new SluiceError('source_version_not_found', { source, version })
        const { earlier = [], dropped = null, ...part } = found ?? { text: '', total: 0 }
        return {
          ...{ source, start, ...part },
          dropped: dropped?.map(presentDropped) ?? null,
          earlier: earlier.map(({ until, chunks }) => ({ version: isoTime(until), chunks })),
        }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/sources/:flowId/original',
      summary: 'The file of a document as it was sent, of a flow with the setting originals',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: originalQuery,
      answer: { description: 'The file', type: FILE_TYPE_FACTS.pdf.mediaType },
      also: [...new Set(Object.values(FILE_TYPE_FACTS).map(({ mediaType }) => mediaType))]
        .filter((type) => type !== FILE_TYPE_FACTS.pdf.mediaType)
        .map((type) => ({ description: 'the same of another type', type })),
      async handle({ flow, fence, caller, query, reply }) {
        const { source } = query
        const conversation = await conversationOf({ flow, fence, caller }, query.chatId)
        const store = await storeOf({ flow, fence }, query)
        const kept = await store.original({ source, conversation })
        const file = kept && (await platform.originals.open(kept.id))
        if (!file) throw new SluiceError('original_not_kept', { source })
        const name = source.split(/[\\/]/).at(-1)!
        return reply
          .headers({
            'content-type': FILE_TYPE_FACTS[kept.type].mediaType,
            'content-length': file.size,
            'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
            // A hostile file must not run in the origin of this server, whatever a browser makes of it.
            'content-security-policy': "sandbox; default-src 'none'",
            'x-content-type-options': 'nosniff',
            'cross-origin-resource-policy': 'same-origin',
            'cache-control': 'private, no-store',
          })
          .send(file.content)
      },
    }),
    route({
      method: 'DELETE',
      url: '/api/v1/vector/upsert/:flowId',
      summary:
        'Remove chunks of a flow: those of one or several documents, those that match a filter, or both. Whole documents can be restored for 30 days',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: chunkRemovalQuery,
      body: chunkRemovalBody,
      answer: { description: 'The number of removed chunks', shape: chunkRemoval },
      async handle({ flow, fence, caller, query, body }) {
        for (const names of [query, body]) refuseNearFilter(names)
        const source = query.source ?? body.source ?? undefined
        const given = filterOfText(query.filter) ?? body.filter
        if (query.filter && body.filter)
          throw new SluiceError('filter_invalid', {
            reason: 'give it in the query string or the body, not both',
          })
        // An empty filter would match every chunk: it counts as absent.
        const filter = isEmptyFilter(given) ? undefined : parseFilter(given)
        if (filter && emptyMeaning(filter) === 'all')
          throw new SluiceError('filter_invalid', { reason: 'it matches every chunk' })
        const sources = body.sources ?? undefined
        if (source !== undefined && sources !== undefined)
          throw new SluiceError('body_invalid', { reason: 'give source or sources, not both' })
        if (sources?.length === 0) return { numDeleted: 0, restorableUntil: null }
        if (source === undefined && sources === undefined && filter === undefined)
          throw new SluiceError('source_or_filter_missing')
        const conversation = await conversationOf({ flow, fence, caller }, query.chatId ?? body.chatId)
        const permanent =
          filter !== undefined || conversation !== undefined || (query.permanent ?? body.permanent ?? false)
        const days = platform.config.KEEP_REMOVED_DAYS
        const restorableUntil = permanent || days === 0 ? undefined : Date.now() + days * 86_400_000
        const place = { pin: query.pin, stopNodeId: query.stopNodeId ?? body.stopNodeId }
        const store = await storeOf({ flow, fence }, place)
        const what = {
          ...(source === undefined ? {} : { source }),
          ...(sources === undefined ? {} : { sources }),
          ...(filter === undefined ? {} : { filter }),
          ...(conversation ? { conversation } : {}),
          ...(restorableUntil === undefined ? {} : { restorableUntil }),
        }
        const numDeleted = await unlessStalled(platform, store.namespace, (signal) =>
          platform.engine.remove(store, what, signal),
        )
        platform.log.info('chunks-removed', { ...flowFacts(flow), count: numDeleted })
        const restorable = restorableUntil !== undefined && numDeleted > 0
        return { numDeleted, restorableUntil: restorable ? isoTime(restorableUntil) : null }
      },
    }),
    route({
      method: 'POST',
      url: '/api/v1/vector/sources/:flowId/restore',
      summary: 'Restore removed documents of a flow, with all their chunks',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: sourceRestoreQuery,
      body: sourceRestoreBody,
      answer: {
        description:
          'The documents that were restored, and the number of their chunks; without those whose time is over or that were loaded again',
        shape: sourceRestore,
      },
      async handle({ flow, fence, query, body }) {
        const store = await storeOf({ flow, fence }, { pin: query.pin, stopNodeId: body.stopNodeId })
        const { sources, chunks } = await unlessStalled(platform, store.namespace, (signal) =>
          platform.engine.restore(store, body.sources, Date.now(), signal),
        )
        platform.log.info('sources-restored', { ...flowFacts(flow), count: sources.length })
        return { sources, numRestored: chunks }
      },
    }),
  ]
}
