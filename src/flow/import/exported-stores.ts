import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { insteadOfNode } from '../check/instead.ts'
import type { ReportRow } from '../check/report-row.ts'
import {
  type EditedDrawing,
  newStoreDrawing,
  putLoader,
  putStorePart,
  type WantedPart,
} from '../document-stores/edit-drawing.ts'
import { newStoreConfig, withDocumentStoreMark } from '../document-stores/mark.ts'
import { written } from '../graph.ts'
import { type Exported, flowIn } from './export-file.ts'
import { exportedKey } from './exported-key.ts'
import { substitute } from './substitute.ts'

/** A document store of an export as a flow, and what is told of it. */
export type ExportedStore = { flow: Exported; rows: ReportRow[] }

/** The document stores in the export of a whole instance. Rows without a name are passed over. */
export function exportedStores(exported: unknown, catalog: Catalog): ExportedStore[] {
  const list = isObject(exported) ? exported.DocumentStore : undefined
  return (Array.isArray(list) ? list : []).flatMap((row) => {
    const name = isObject(row) ? written(row.name).trim() : ''
    return name === '' ? [] : [storeOf(row as Record<string, unknown>, name, catalog)]
  })
}

function storeOf(row: Record<string, unknown>, name: string, catalog: Catalog): ExportedStore {
  const rows: ReportRow[] = []
  const say: Say = (severity, what, instead) =>
    rows.push({ nodeId: null, node: name, input: null, severity, what, instead })
  const loaders = listIn(row.loaders)
  const own = storeWithDrawing(row)
  if (own) for (const loader of loaders) sayFiles(loader, written(loader.id), say)
  const flow = own ?? drawnStore(row, name, { loaders, catalog, say })
  const total = own ? loaders.length : Math.min(loaders.length, MOST_LOADERS)
  const count = `${total} ${total === 1 ? 'loader' : 'loaders'}`
  const load = 'Load it: POST /api/v1/document-store/refresh/ID, and upsert/ID for files'
  const what = `The document store ${name} comes with ${count}, without its chunks and its files`
  say('note', what, total > 0 ? load : null)
  if (flow.key.needed)
    say('note', 'It is closed: only managers and other flows of this server use it', 'Bind a key to it')
  return { flow, rows }
}

/** The store in an export of this server, which has its drawing; undefined for one of Flowise. */
function storeWithDrawing(row: Record<string, unknown>): Exported | undefined {
  const { sluice } = row
  if (!isObject(sluice) || !isObject(sluice.apiConfig)) return undefined
  const apiConfig = withDocumentStoreMark(sluice.apiConfig, { description: written(row.description) })
  const flow = flowIn({ ...row, sluice: { ...sluice, apiConfig } }, 'CHATFLOW')
  const key = exportedKey(row, sluice)
  return flow && { ...flow, key: { ...key, needed: key.needed || sluice.access !== 'open' } }
}

/** A store as Flowise exports it, drawn from its columns. */
function drawnStore(
  row: Record<string, unknown>,
  name: string,
  { loaders, catalog, say }: { loaders: Record<string, unknown>[]; catalog: Catalog; say: Say },
): Exported {
  const drawing = newStoreDrawing(catalog)
  for (const [kind, column, what, here] of PARTS) {
    const part = partOf(row[column])
    if (part)
      place(part, { catalog, say, what, instead: `${here} is in its place` }, (wanted) =>
        putStorePart(drawing, catalog, kind, wanted),
      )
  }
  for (const [at, loader] of loaders.slice(0, MOST_LOADERS).entries())
    addLoader(drawing, loader, { at, catalog, say })
  if (loaders.length > MOST_LOADERS)
    say(
      'dropped',
      `${loaders.length - MOST_LOADERS} more loaders are not imported: ${MOST_LOADERS} are the most`,
      'Add them to the store, or use one loader for many files',
    )
  return {
    ...(typeof row.id === 'string' ? { id: row.id } : {}),
    name,
    type: 'CHATFLOW',
    drawing,
    // Nobody asked a store without a key.
    key: { needed: true },
    row: { apiConfig: newStoreConfig({ description: written(row.description) }) },
  }
}

/** Each is drawn into the whole drawing: more would hold up the server. */
const MOST_LOADERS = 100

type Say = (severity: ReportRow['severity'], what: string, instead: string | null) => void

const PARTS = [
  ['embedder', 'embeddingConfig', 'embeddings', 'builtInEmbeddings'],
  ['vectorStore', 'vectorStoreConfig', 'vector store', 'builtInVectorStore'],
  ['recordManager', 'recordManagerConfig', 'record manager', 'SQLiteRecordManager'],
] as const

type Placing = { catalog: Catalog; say: Say; what: string; instead: string }
type NamedPart = { name: string; config: JsonObject }

/** Draws a part by the name that it has here. One that is not here has a line. Returns whether it was drawn. */
function place(
  { name, config }: NamedPart,
  { catalog, say, what, instead }: Placing,
  draw: (wanted: WantedPart) => void,
): boolean {
  const inputs = { ...config }
  const made = substitute(name, inputs)
  const ours = made?.by ?? name
  if (!catalog.has(ours)) {
    say('dropped', `Its ${what} ${name} is not here; ${instead}`, insteadOfNode(name, ''))
    return false
  }
  try {
    draw({ name: ours, config: inputs })
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    say('dropped', `Its ${what} ${name} cannot be drawn: ${error.message}; ${instead}`, null)
    return false
  }
  if (made) say('changed', [`${name} became ${ours}`, ...made.differs].join('. '), null)
  return true
}

function addLoader(
  drawing: EditedDrawing,
  loader: Record<string, unknown>,
  { at, catalog, say }: { at: number; catalog: Catalog; say: Say },
): void {
  const name = written(loader.loaderId)
  const label = written(loader.loaderName) || name
  const id = written(loader.id) || `${name}_${at}`
  const config = objectIn(loader.loaderConfig)
  const what = `loader ${label}:`
  const placing = { catalog, say, what, instead: 'it is left out' }
  const isPlaced = place({ name, config }, placing, (wanted) =>
    putLoader(drawing, catalog, id, { label, loader: wanted, splitter: null }),
  )
  if (!isPlaced) return
  const splitter = written(loader.splitterId)
  if (splitter !== '')
    place(
      { name: splitter, config: objectIn(loader.splitterConfig) },
      { catalog, say, what: `splitter of ${label}:`, instead: 'its documents are cut as by default' },
      (wanted) => putLoader(drawing, catalog, id, { splitter: wanted }),
    )
  sayFiles(loader, id, say)
}

/** A line for the files that a loader had where it was exported. */
function sayFiles(loader: Record<string, unknown>, id: string, say: Say): void {
  const files = Object.values(objectIn(loader.loaderConfig)).flatMap(filesIn)
  if (files.length === 0) return
  const label = written(loader.loaderName) || written(loader.loaderId)
  const named = files.slice(0, 5).join(', ') + (files.length > 5 ? ` and ${files.length - 5} more` : '')
  const send = `Send them: POST /api/v1/document-store/upsert/ID with docId ${id} and replaceExisting`
  say('changed', `The loader ${label} comes without its files: ${named}`, send)
}

/** The names of the files of Flowise in an input. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'string' || !value.startsWith('FILE-STORAGE::')) return []
  const names = value.slice('FILE-STORAGE::'.length)
  const list = parseJson(names)
  return Array.isArray(list) ? list.map(written) : [names]
}

function partOf(column: unknown): NamedPart | undefined {
  const { name, config } = objectIn(column)
  return typeof name === 'string' && name !== '' ? { name, config: objectIn(config) } : undefined
}

/** A column that is an object, or JSON text of one. */
function objectIn(column: unknown): JsonObject {
  const value = typeof column === 'string' ? parseJson(column) : column
  return isObject(value) ? (value as JsonObject) : {}
}

function listIn(column: unknown): Record<string, unknown>[] {
  const value = typeof column === 'string' ? parseJson(column) : column
  return Array.isArray(value) ? value.filter(isObject) : []
}
