import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Catalog } from '../../flow/catalog.ts'
import {
  type EditedDrawing,
  editedDrawing,
  putStorePart,
  type WantedPart,
} from '../../flow/document-stores/edit-drawing.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { refuseLargeFlow } from '../../flow/flow-size.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { requireManager } from '../access.ts'
import { checkCredentials } from '../flow-credentials.ts'
import type { Platform } from '../platform.ts'
import { saveFlow } from '../save-flow.ts'

/** A part as a body names it, before it is read. */
export type GivenPart = { name?: string | null | undefined; config?: JsonObject | null | undefined }

/** The store with a changed drawing, not saved. @throws SluiceError what `edit` throws; `flow_invalid` */
export function editedStore(flow: FlowRow, edit: (drawing: EditedDrawing) => void): FlowRow {
  const drawing = editedDrawing(flow.flowData)
  edit(drawing)
  const flowData = JSON.stringify(drawing)
  refuseLargeFlow(flowData)
  return { ...flow, flowData, updatedAt: Math.max(Date.now(), flow.updatedAt) }
}

/**
 * Changes the drawing of a store and saves it as its newest revision; with `If-Match` only if it is that revision.
 *
 * @throws SluiceError as `saveFlow` and `edit` do; `credential_wrong_kind`
 */
export function saveStore(
  platform: Platform,
  { id, request, reply }: { id: string; request: FastifyRequest; reply: FastifyReply },
  edit: (drawing: EditedDrawing) => void,
): Promise<FlowRow> {
  return saveFlow(platform.flows, { id, request, reply }, async (stored) => {
    const changed = editedStore(stored, edit)
    await checkCredentials(changed.flowData, platform)
    return changed
  })
}

/** A part that a body names; undefined where it names none. */
export function wantedPart(
  given: GivenPart | null | undefined,
  credential?: string | null,
): WantedPart | undefined {
  if (given == null && !credential) return undefined
  const { name, config } = given ?? {}
  return {
    ...(name ? { name } : {}),
    config: { ...config, ...(credential ? { credential } : {}) },
  }
}

/** Puts embeddings, vector store and record manager of a request into a drawing. */
export function setStoreParts(
  drawing: EditedDrawing,
  catalog: Catalog,
  {
    embedding,
    vectorStore,
    recordManager,
  }: Pick<PartsOfRequest, 'embedding' | 'vectorStore' | 'recordManager'>,
): void {
  if (embedding) putStorePart(drawing, catalog, 'embedder', wantedPart(embedding)!)
  if (vectorStore) putStorePart(drawing, catalog, 'vectorStore', wantedPart(vectorStore)!)
  if (recordManager) putStorePart(drawing, catalog, 'recordManager', wantedPart(recordManager)!)
}

type PartsOfRequest = {
  docId?: string | null | undefined
  loader?: GivenPart | null | undefined
  splitter?: GivenPart | null | undefined
  embedding?: GivenPart | null | undefined
  vectorStore?: GivenPart | null | undefined
  recordManager?: GivenPart | null | undefined
}

/**
 * Checks that a caller may set these parts. Who may load into a store may set how documents are read and cut; what leads to
 * addresses, folders, secrets and tables, and what is searched, is for managers.
 *
 * @throws SluiceError as `requireManager`; `document_loader_not_found`
 */
export async function requireMaySet(
  { catalog }: Pick<Platform, 'catalog'>,
  request: FastifyRequest,
  flow: FlowRow,
  parts: PartsOfRequest,
): Promise<void> {
  const { docId, loader, splitter, embedding, vectorStore, recordManager } = parts
  const drawing = readStoreDrawing(flow.flowData, catalog)
  const held = docId ? findLoader(drawing, docId, flow.slug) : undefined
  const isGuarded = (part: GivenPart | null | undefined, heldName: string | undefined) => {
    const card = catalog.get(part?.name ?? heldName ?? '')
    return Object.keys(part?.config ?? {}).some((name) => {
      const field = card && Object.hasOwn(card.fields, name) ? card.fields[name] : undefined
      return !field || field.guard !== undefined || ['password', 'credential', 'file'].includes(field.type)
    })
  }
  // A loader that finds its documents by itself may lead anywhere.
  const findsItself = (name: string | null | undefined) =>
    name != null &&
    name !== held?.loader.name &&
    !Object.values(catalog.get(name)?.fields ?? {}).some(({ type }) => type === 'file')
  if (
    [embedding, vectorStore, recordManager].some((part) => isObject(part)) ||
    findsItself(loader?.name) ||
    isGuarded(loader, held?.loader.name) ||
    isGuarded(splitter, held?.splitter?.name)
  )
    await requireManager(request)
}
