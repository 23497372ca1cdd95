import { defineNode } from '../../cards/define-node.ts'
import type { NodeCard } from '../../contract/card.ts'
import type { Fields, ValuesOf } from '../../contract/field.ts'
import { numberField } from '../../cards/field.ts'
import type { TextSplitter } from '../../contract/splitter.ts'

type SizeUnit = 'characters' | 'tokens'

/** The two inputs of every splitter. */
const sizeFields = (unit: SizeUnit) => ({
  chunkSize: numberField(
    'Chunk Size',
    1000,
    { whole: true, min: 1 },
    { main: true, unit, description: 'The maximum size of a chunk' },
  ),
  chunkOverlap: numberField(
    'Chunk Overlap',
    200,
    { whole: true, min: 0 },
    { main: true, unit, description: 'The size of the text that two neighbouring chunks share' },
  ),
})

type SizeFields = ReturnType<typeof sizeFields>

export type SplitterCard<F extends Fields> = {
  name: string
  label: string
  version: number
  description: string
  /** The base class in Flowise, besides `TextSplitter`. */
  derivedFrom?: string
  /** What the sizes count. Default: characters. */
  unit?: SizeUnit
  fields: F
  /** @throws Error with the reason if the values contradict each other */
  build(values: ValuesOf<F & SizeFields>): TextSplitter
}

/** Declares a splitter. `fields` are its inputs besides the two sizes. */
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
    fields: { ...sizeFields(card.unit ?? 'characters'), ...card.fields },
    anchors: {},
    build: ({ values }) => card.build(values as ValuesOf<F & SizeFields>),
  })
}
