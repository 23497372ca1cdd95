import type { z } from 'zod'
import type { storeChunk, storeChunkPage } from '../../api/document-store-chunk.ts'
import type { ChunkEdit } from '../../contract/chunk-edit-store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { ListedChunk } from '../../contract/ledger.ts'
import { originalSourceName } from '../../documents/conversation.ts'
import { DOC_ID_KEY } from '../../flow/document-stores/read-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { loadsOfLoader } from '../../upsert/loader-sources.ts'
import type { Platform } from '../platform.ts'
import { storeForCaller } from '../stored-flow.ts'
import { presentStore } from './present-store.ts'

/** How many chunks a page has, as in Flowise. */
export const CHUNKS_A_PAGE = 50

/** In place of the id of a loader: the chunks of all. */
export const ALL_LOADERS = 'all'

type PageRequest = { loaderId: string; page: number; manager: boolean; fence: Fence | undefined }

/** A page of the chunks of a loader, document by document. @throws SluiceError `document_loader_not_found` */
export async function presentChunkPage(
  platform: Platform,
  flow: FlowRow,
  { loaderId, page, manager, fence }: PageRequest,
): Promise<z.input<typeof storeChunkPage>> {
  const shown = await presentStore(platform, flow, { manager, fence })
  const file = shown.loaders.find(({ id }) => id === loaderId)
  if (!file && loaderId !== ALL_LOADERS)
    throw new SluiceError('document_loader_not_found', { loader: loaderId, store: flow.slug })
  const store = storeForCaller(platform, flow, {}, fence)
  const settings = file && (await loadsOfLoader(store, flow.id, loaderId)).map(({ hash }) => hash)
  const offset = (page - 1) * CHUNKS_A_PAGE
  const { rows, total } = await store.chunks({ settings, offset, limit: CHUNKS_A_PAGE })
  const edits = await platform.chunkEdits.list(store.namespace)
  return {
    chunks: await numbered(store, rows, { storeId: flow.id, loaderId, edits }),
    count: total,
    ...(file ? { file } : {}),
    currentPage: page,
    storeName: flow.name,
    description: shown.description,
    docId: loaderId,
    characters: file ? file.totalChars : shown.totalChars,
  }
}

/** The chunks with their numbers in their documents. */
async function numbered(
  store: ChunkStore,
  rows: readonly ListedChunk[],
  { storeId, loaderId, edits }: { storeId: string; loaderId: string; edits: readonly ChunkEdit[] },
): Promise<z.input<typeof storeChunk>[]> {
  let number = rows[0] ? await chunkPlaceOf(store, rows[0]) : 0
  let source = rows[0]?.source
  return rows.map((row) => {
    number = row.source === source ? number + 1 : 1
    source = row.source
    const docId = row.metadata[DOC_ID_KEY]
    return {
      id: row.id,
      docId: typeof docId === 'string' ? docId : loaderId,
      storeId,
      source: row.source,
      chunkNo: number,
      pageContent: row.pageContent,
      metadata: JSON.stringify(row.metadata),
      edited: edits.find((edit) => isResult(edit, row))?.id ?? null,
    }
  })
}

const isResult = ({ source, content, asideAt }: ChunkEdit, row: ListedChunk) =>
  asideAt === null && content === row.pageContent && originalSourceName(source) === row.source

/** How many chunks of its document are before a chunk. */
export async function chunkPlaceOf(
  store: ChunkStore,
  { source, id }: { source: string; id: string },
): Promise<number> {
  const { offset, rows } = await store.chunks({ source, around: id, offset: 0, limit: 1 })
  return rows[0]?.id === id ? offset : -1
}
