import { anchor, type BuildContext, defineNode, type NodeCard } from '../../contract/card.ts'
import { type Fields, fileField, type ValuesOf } from '../../contract/field.ts'
import type { FileType, ParseOptions } from '../../contract/file-parser.ts'
import type { Loader } from '../../contract/loader.ts'
import { canonicalJson, type JsonObject } from '../../kit/json.ts'
import { type FileHandler, fileHandler } from '../../sources/file-item.ts'
import { parseStoredFiles, storedFileItems } from '../../sources/stored-files.ts'
import { metadataShaper, METADATA_FIELDS } from './metadata.ts'

/** What a loader brings: uploads, items of its own, or both. */
export type LoaderSources = Pick<Loader, 'uploads' | 'items'>

export type LoaderCard<F extends Fields> = {
  name: string
  label: string
  version: number
  description: string
  fields: F
  /** Whether its documents are chunks already, so that no splitter plugs in. */
  isCutAlready?: true
  /** @throws Error with the reason where the values make no sense */
  sources(values: ValuesOf<F>, context: BuildContext): LoaderSources
}

/** Declares a node that loads documents: metadata inputs and splitter are the same for all. */
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
    anchors: card.isCutAlready
      ? {}
      : { textSplitter: anchor('splitter', 'Text Splitter', 'TextSplitter', { optional: true }) },
    build({ values, parts }, context) {
      // The files that a flow holds are what is read, not how.
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
  /** The input that holds a file in Flowise's flow files, and the endings that its form offers. */
  file: { input: string; label: string; endings: readonly string[] }
  types: readonly FileType[]
  parse(values: ValuesOf<F>): ParseOptions
}

/** Declares a node that loads uploads: everything but the file input and how it is read is the same for all. */
export function uploadCard<const F extends Fields>(card: UploadCard<F>): NodeCard<'loader'> {
  const { input, label, endings } = card.file
  return loaderCard({
    ...card,
    fields: { [input]: fileField(label, endings.join(', ')), ...card.fields },
    sources(values, context) {
      const options = card.parse(values as ValuesOf<F>)
      const handling = fileHandler({ types: card.types, accepts: endings, options, parser: context.parser })
      return fileSources((values as Record<string, unknown>)[input] as string | undefined, handling, context)
    },
  })
}

/** Uploads, and the files that the flow itself holds in an input. */
export function fileSources(
  stored: string | undefined,
  handling: FileHandler,
  { nodeId, scratch }: BuildContext,
): LoaderSources {
  const files = parseStoredFiles(stored ?? '', nodeId)
  return {
    uploads: { accepts: handling.accepts, item: handling.item },
    ...(files.length > 0 ? { items: () => storedFileItems(files, handling, scratch) } : {}),
  }
}
