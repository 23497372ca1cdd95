import { isObject, type JsonObject } from '../../kit/json.ts'

/** What a flow that is a document store has besides its drawing. */
export type DocumentStoreMark = { description: string }

/** The mark of a flow that is listed as a document store: `documentStore` of its `apiConfig`; undefined for any other flow. */
export function documentStoreMark(apiConfig: unknown): DocumentStoreMark | undefined {
  const mark = isObject(apiConfig) ? apiConfig.documentStore : undefined
  if (!isObject(mark)) return undefined
  return { description: typeof mark.description === 'string' ? mark.description : '' }
}

/** The `apiConfig` with a mark, or without one. */
export function withDocumentStoreMark(apiConfig: unknown, mark: DocumentStoreMark | undefined): JsonObject {
  const { documentStore: _, ...rest } = (isObject(apiConfig) ? apiConfig : {}) as JsonObject
  return mark ? { ...rest, documentStore: { ...mark } } : rest
}

/** That of a new document store: files are kept, and requests may bring files and set how they are cut. */
export const newStoreConfig = (mark: DocumentStoreMark): JsonObject => ({
  originals: 'keep',
  overrideConfig: {
    status: true,
    nodes: {
      '*': ['files', 'metadata', 'chunkSize', 'chunkOverlap', 'topK', 'returnSourceDocuments'].map(
        (name) => ({ label: name, name, type: 'string', enabled: true }),
      ),
    },
  },
  documentStore: { ...mark },
})
