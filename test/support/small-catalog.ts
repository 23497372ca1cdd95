import { anchor, anchors } from '../../src/cards/anchors.ts'
import { defineNode } from '../../src/cards/define-node.ts'
import {
  choiceField,
  fileField,
  flagField,
  numberField,
  objectField,
  textField,
} from '../../src/cards/field.ts'
import type { TextSplitter } from '../../src/contract/splitter.ts'
import { makeCatalog } from '../../src/flow/catalog.ts'
import { hashEmbedder } from './hash-embedder.ts'
import { memoryLoader } from './memory-loader.ts'

const plain = { version: 1, category: '', type: '', baseClasses: [], description: '' }

/** A node of each kind, with an input of each kind that overrides treat in another way. */
export const smallCatalog = makeCatalog([
  defineNode({
    ...plain,
    kind: 'loader',
    name: 'loader',
    label: 'Loader',
    fields: {
      txtFile: fileField('Txt File', '.txt'),
      metadata: objectField('Metadata'),
      notes: textField('Notes', 'none'),
      url: textField('URL', undefined, { guard: 'url' }),
      deep: flagField('Deep', true),
    },
    anchors: { textSplitter: anchor('splitter', 'Text Splitter', 'TextSplitter', { optional: true }) },
    build({ values, parts }) {
      const splitter = parts.textSplitter ? { splitter: parts.textSplitter } : {}
      return memoryLoader({ id: JSON.stringify(values), ...splitter })
    },
  }),
  defineNode({
    ...plain,
    kind: 'splitter',
    name: 'splitter',
    label: 'Splitter',
    fields: {
      chunkSize: numberField('Chunk Size', 1000, { min: 1, whole: true }),
      chunkOverlap: numberField('Chunk Overlap', 200, { min: 0, whole: true }),
    },
    anchors: {},
    build({ values }): TextSplitter {
      if (values.chunkOverlap >= values.chunkSize) throw new RangeError('the overlap is too large')
      const id = `${values.chunkSize}/${values.chunkOverlap}`
      return { id, split: () => [], open: () => ({ push: () => [], end: () => [] }) }
    },
  }),
  defineNode({
    ...plain,
    kind: 'embedder',
    name: 'embedder',
    label: 'Embedder',
    fields: {
      apiKey: textField('API Key', undefined, { guard: 'credential' }),
      model: textField('Model', 'small'),
    },
    anchors: {},
    build: ({ values }) => hashEmbedder({ id: values.model }),
  }),
  defineNode({
    ...plain,
    kind: 'recordManager',
    name: 'records',
    label: 'Records',
    fields: { cleanup: choiceField('Cleanup', ['none', 'full'], 'none') },
    anchors: {},
    build: ({ values }) => ({ cleanup: values.cleanup, sourceIdKey: 'source' }),
  }),
  defineNode({
    ...plain,
    kind: 'vectorStore',
    name: 'store',
    label: 'Store',
    fields: {
      namespace: textField('Namespace', undefined, { guard: 'table' }),
      topK: numberField('Top K', 4, { min: 1 }),
      filter: objectField('Filter'),
    },
    anchors: {
      document: anchors('loader', 'Document', 'Document'),
      embeddings: anchor('embedder', 'Embeddings', 'Embeddings'),
      recordManager: anchor('recordManager', 'Record Manager', 'RecordManager', { optional: true }),
    },
    build({ values, parts }, { flowId, openStore }) {
      return {
        store: openStore(values.namespace ?? flowId),
        embedder: parts.embeddings!,
        loaders: parts.document,
        ...(parts.recordManager ? { recordManager: parts.recordManager } : {}),
        retrieval: { topK: values.topK, searchType: 'similarity' },
      }
    },
  }),
])

/** A node of a drawing, as Flowise stores it. */
export const drawn = (id: string, inputs: Record<string, unknown> = {}, label = id) => {
  const name = id.replace(/_\d+$/, '')
  return { id, type: 'customNode', data: { id, name, label, category: 'x', inputs } }
}

export const plug = (id: string) => `{{${id}.data.instance}}`

/** The drawing of a whole flow over the small catalog, with other inputs where they are given. */
export function smallDrawing(inputs: Record<string, Record<string, unknown>> = {}) {
  return {
    nodes: [
      drawn('splitter_0', { ...inputs.splitter_0 }),
      drawn('loader_0', { textSplitter: plug('splitter_0'), ...inputs.loader_0 }),
      drawn('embedder_0', { ...inputs.embedder_0 }),
      drawn('records_0', { ...inputs.records_0 }),
      drawn('store_0', {
        document: [plug('loader_0')],
        embeddings: plug('embedder_0'),
        recordManager: plug('records_0'),
        ...inputs.store_0,
      }),
    ],
    edges: [],
  }
}
