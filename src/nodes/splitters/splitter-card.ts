import { defineNode, type NodeCard } from '../../contract/card.ts'
import { type Fields, numberField, type ValuesOf } from '../../contract/field.ts'
import type { TextSplitter } from '../../contract/splitter.ts'

/** The two inputs that every splitter has, in its own unit. */
const SIZE_FIELDS = {
  chunkSize: numberField(
    'Chunk Size',
    1000,
    { whole: true, min: 1 },
    { description: 'The most a chunk holds' },
  ),
  chunkOverlap: numberField(
    'Chunk Overlap',
    200,
    { whole: true, min: 0 },
    { description: 'How much neighbouring chunks share' },
  ),
}

export type SplitterCard<F extends Fields> = {
  name: string
  label: string
  version: number
  description: string
  /** What Flowise derives it from, besides the class of all splitters. */
  derivedFrom?: string
  fields: F
  /** @throws Error with the reason where the values make no sense together */
  build(values: ValuesOf<F & typeof SIZE_FIELDS>): TextSplitter
}

/** Declares a node that cuts texts: what is its own is the inputs besides the two sizes. */
export function splitterCard<const F extends Fields>(card: SplitterCard<F>): NodeCard<'splitter'> {
  const type = card.name[0]!.toUpperCase() + card.name.slice(1)
  return defineNode({
    kind: 'splitter',
    name: card.name,
    label: card.label,
    version: card.version,
    category: 'Text Splitters',
    type,
    baseClasses: [type, ...(card.derivedFrom ? [card.derivedFrom] : []), 'TextSplitter'],
    description: card.description,
    fields: { ...SIZE_FIELDS, ...card.fields },
    anchors: {},
    build: ({ values }) => card.build(values as ValuesOf<F & typeof SIZE_FIELDS>),
  })
}
