import { anchor } from '../../cards/anchors.ts'
import type { BuildContext, ListOptions, NodeCard } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import type { Fields, ValuesOf } from '../../contract/field.ts'
import { fileField } from '../../cards/field.ts'
import type { FileType, ParseOptions } from '../../contract/file-parser.ts'
import type { Loader } from '../../contract/loader.ts'
import { canonicalJson, type JsonObject } from '../../kit/json.ts'
import { type FileHandler, fileHandler } from '../../sources/file-item.ts'
import { parseStoredFiles, storedFileItems } from '../../sources/stored-files.ts'
import { METADATA_FIELDS, metadataShaper } from './metadata.ts'

/** Where a loader takes its documents from: uploads, its own items, or both. */
export type LoaderSources = Pick<Loader, 'uploads' | 'items'>

export type LoaderCard<F extends Fields> = {
  name: string
  label: string
  version: number
  description: string
  fields: F
  /** The documents are chunks already, so the node has no anchor for a splitter. */
  yieldsChunks?: true
  lists?: Readonly<Record<string, ListOptions<ValuesOf<F>>>>
  /** @throws Error with the reason for invalid values */
  sources(values: ValuesOf<F>, context: BuildContext): LoaderSources
}

/** Declares a loader. All loaders have the same metadata inputs and splitter anchor. */
export function loaderCard<const F extends Fields>(card: LoaderCard<F>): NodeCard<'loader'> {
  return defineNode({
    kind: 'loader',
    name: card.name,
    label: card.label,
    version: card.version,
    category: 'Document Loaders',
    type: 'Document',
    baseClasses: ['Document'],
    description: card.description,
    fields: { ...card.fields, ...METADATA_FIELDS },
    lists: (card.lists ?? {}) as NonNullable<NodeCard['lists']>,
    anchors: card.yieldsChunks
      ? {}
      : { textSplitter: anchor('splitter', 'Text Splitter', 'TextSplitter', { optional: true }) },
    build({ values, parts }, context) {
      // Files stored in the flow are content, not settings: they are not part of the id.
      const settings = Object.entries(values).filter(([name]) => card.fields[name]?.type !== 'file')
      return {
        id: canonicalJson([card.name, Object.fromEntries(settings) as JsonObject]),
        ...(parts.textSplitter ? { splitter: parts.textSplitter } : {}),
        shapeMetadata: metadataShaper(
          values as unknown as { metadata: JsonObject; omitMetadataKeys: string },
        ),
        ...card.sources(values as ValuesOf<F>, context),
      }
    },
  })
}

export type UploadCard<F extends Fields> = Omit<LoaderCard<F>, 'sources'> & {
  /** The input for files stored in the flow, with the endings that its form offers. */
  file: { input: string; label: string; endings: readonly string[] }
  types: readonly FileType[]
  parse(values: ValuesOf<F>): ParseOptions
}

/** Declares a loader of uploads, which differ only in the file input and the parse options. */
export function uploadCard<const F extends Fields>(card: UploadCard<F>): NodeCard<'loader'> {
  const { input, label, endings } = card.file
  return loaderCard({
    ...card,
    fields: { [input]: fileField(label, endings.join(', '), { main: true }), ...card.fields },
    sources(values, context) {
      const options = card.parse(values as ValuesOf<F>)
      const handler = fileHandler({ types: card.types, accepts: endings, options, parser: context.parser })
      return fileSources((values as Record<string, unknown>)[input] as string | undefined, handler, context)
    },
  })
}

/** Uploads, and the files stored in the flow. @param stored the value of the file input */
export function fileSources(
  stored: string | undefined,
  handler: FileHandler,
  { nodeId, scratch }: BuildContext,
): LoaderSources {
  const files = parseStoredFiles(stored ?? '', nodeId)
  return {
    uploads: { accepts: handler.accepts, item: handler.item },
    ...(files.length > 0 ? { items: () => storedFileItems(files, handler, scratch) } : {}),
  }
}
