import { anchor, defineNode, type NodeCard } from '../../contract/card.ts'
import { type Fields, file, type ValuesOf } from '../../contract/field.ts'
import type { FileType, ParseOptions } from '../../contract/file-parser.ts'
import type { JsonObject } from '../../kit/json.ts'
import { METADATA_FIELDS } from './dress.ts'
import { uploadLoader } from './upload-loader.ts'

export type UploadCard<F extends Fields> = {
  name: string
  label: string
  version: number
  description: string
  /** The input that holds a file in Flowise's flow files, and the endings that its form offers. */
  file: { input: string; label: string; endings: readonly string[] }
  types: readonly FileType[]
  fields: F
  parse(values: ValuesOf<F>): ParseOptions
}

/** Declares a node that loads uploads: everything but the file input and how it is read is the same for all. */
export function uploadCard<const F extends Fields>(card: UploadCard<F>): NodeCard<'loader'> {
  return defineNode({
    kind: 'loader',
    name: card.name,
    label: card.label,
    version: card.version,
    category: 'Document Loaders',
    type: 'Document',
    baseClasses: ['Document'],
    description: card.description,
    fields: {
      [card.file.input]: file(card.file.label, card.file.endings.join(', ')),
      ...card.fields,
      ...METADATA_FIELDS,
    },
    anchors: { textSplitter: anchor('splitter', 'Text Splitter', 'TextSplitter', { optional: true }) },
    build({ values, parts }, { parser }) {
      return uploadLoader({
        name: card.name,
        types: card.types,
        accepts: card.file.endings,
        options: card.parse(values as ValuesOf<F>),
        values: values as unknown as { metadata: JsonObject; omitMetadataKeys: string },
        splitter: parts.textSplitter,
        parser,
      })
    },
  })
}
