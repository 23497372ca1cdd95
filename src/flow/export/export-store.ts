import { SluiceError } from '../../kit/errors.ts'
import { type JsonObject, parseJson } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { readStoreDrawing, type StoreDrawing, type StoreLoader } from '../document-stores/read-store.ts'

/** The columns of a document store in an export, as Flowise has them: objects and lists are JSON texts. */
export type StoreColumns = {
  loaders: string
  status: 'EMPTY' | 'STALE'
  embeddingConfig: string | null
  vectorStoreConfig: string | null
  recordManagerConfig: string | null
}

/**
 * Writes the parts of a document store as columns of Flowise. Its chunks are not among them, so no loader counts as loaded.
 * A drawing that is no store has no parts.
 *
 * @param flowData the drawing as it is stored; only names of files are read from it
 * @param shared the same without secrets, as `writeFlowExport` makes it
 */
export function writeStoreColumns(flowData: string, shared: string, catalog: Catalog): StoreColumns {
  const drawing = readable(shared, catalog)
  const held = readable(flowData, catalog)
  const part = (one: { name: string; config: JsonObject } | null | undefined) =>
    one ? JSON.stringify({ name: one.name, config: one.config }) : null
  const loaders = (drawing?.loaders ?? []).map((loader) => {
    const stored = held?.loaders.find(({ id }) => id === loader.id)?.loader.config ?? {}
    return writeLoader(loader, namesOfFiles(stored), catalog)
  })
  return {
    loaders: JSON.stringify(loaders),
    status: loaders.length === 0 ? 'EMPTY' : 'STALE',
    embeddingConfig: part(drawing?.embedding),
    vectorStoreConfig: part(drawing?.vectorStore),
    recordManagerConfig: part(drawing?.recordManager),
  }
}

function readable(flowData: string, catalog: Catalog): StoreDrawing | undefined {
  try {
    // Parsed here: reading from text would replace the graphs of busy flows in the memory of readGraph().
    return readStoreDrawing(parseJson(flowData), catalog)
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

const writeLoader = (
  { id, label, loader, splitter }: StoreLoader,
  files: JsonObject,
  catalog: Catalog,
): JsonObject => ({
  id,
  loaderId: loader.name,
  loaderName: label,
  loaderConfig: { ...loader.config, ...files },
  splitterId: splitter?.name ?? '',
  splitterName: splitter ? (catalog.get(splitter.name)?.label ?? splitter.name) : '',
  splitterConfig: splitter?.config ?? {},
  totalChunks: 0,
  totalChars: 0,
  status: 'NEW',
})

/** Inputs with stored files, as their names: an import says which files to send again. */
const namesOfFiles = (config: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([, value]) => typeof value === 'string' && value.startsWith('FILE-STORAGE::'),
    ),
  )
