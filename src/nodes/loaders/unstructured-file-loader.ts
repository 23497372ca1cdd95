import type { BuildContext } from '../../contract/card.ts'
import { InputError } from '../../cards/input-error.ts'
import {
  choiceField,
  credentialField,
  fileField,
  flagField,
  numberField,
  textField,
  textListField,
} from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import type { ParsedBatch } from '../../contract/file-parser.ts'
import { sha256 } from '../../kit/hash.ts'
import type { FileHandler } from '../../sources/file-item.ts'
import { partition, type ServiceOptions } from '../../sources/unstructured/service.ts'
import { webAddress } from '../../sources/web/address.ts'
import { keyReader } from '../provider-key.ts'
import { fileSources, loaderCard } from './loader-card.ts'
import { OCR_LANGUAGES } from './pdf-file.ts'
import { mayCall } from '../may-call.ts'

const additional = { additional: true }
const inCharacters = { ...additional, unit: 'characters' }
const characters = { whole: true, min: 1, max: 1_000_000 }

/** Those of the Unstructured API. */
const CHUNKING_STRATEGIES = ['None', 'basic', 'by_title', 'by_page', 'by_similarity'] as const

const fields = {
  credential: credentialField('Connect Credential', ['unstructuredApi']),
  fileObject: fileField('File', '*', { main: true }),
  unstructuredAPIUrl: textField('Unstructured API URL', undefined, {
    description: 'The partition API of an Unstructured server. Without one use the node File Loader',
    guard: 'url',
  }),
  strategy: choiceField('Strategy', ['hi_res', 'fast', 'ocr_only', 'auto'], 'auto', {
    ...additional,
    main: true,
  }),
  encoding: textField('Encoding', 'utf-8', additional),
  skipInferTableTypes: textListField('Skip Infer Table Types', additional),
  hiResModelName: choiceField(
    'Hi-Res Model Name',
    ['chipper', 'detectron2_onnx', 'yolox', 'yolox_quantized'],
    undefined,
    additional,
  ),
  chunkingStrategy: choiceField('Chunking Strategy', CHUNKING_STRATEGIES, 'by_title', additional),
  ocrLanguages: OCR_LANGUAGES,
  sourceIdKey: textField('Source ID Key', 'source', {
    description: 'The metadata key that holds the name of the file',
    additional: true,
  }),
  coordinates: flagField('Coordinates', false, additional),
  xmlKeepTags: flagField('XML Keep Tags', false, additional),
  includePageBreaks: flagField('Include Page Breaks', false, additional),
  multiPageSections: flagField('Multi-Page Sections', true, additional),
  combineUnderNChars: numberField(
    'Combine Under N Chars',
    undefined,
    { ...characters, min: 0 },
    inCharacters,
  ),
  newAfterNChars: numberField('New After N Chars', undefined, characters, inCharacters),
  maxCharacters: numberField('Max Characters', undefined, characters, inCharacters),
}

type Values = ValuesOf<typeof fields>

export const unstructuredFileLoader = loaderCard({
  name: 'unstructuredFileLoader',
  label: 'Unstructured File Loader',
  version: 4,
  description:
    'Files as elements with a category, by an Unstructured server. File Loader reads files without one',
  yieldsChunks: true,
  fields,
  sources(values, context) {
    const { fileObject, unstructuredAPIUrl, sourceIdKey } = values
    if (!unstructuredAPIUrl)
      throw new InputError(
        'unstructuredAPIUrl',
        'it has no address of an Unstructured server; without one use the node File Loader (fileLoader), which reads the same files',
      )
    const address = webAddress(unstructuredAPIUrl, 'unstructuredAPIUrl')
    mayCall(context, address, 'unstructuredAPIUrl')
    const handler = serviceHandler({ ...serviceOptions(values, context), address }, context)
    return fileSources(fileObject, withNameKey(sourceIdKey, handler), context)
  },
})

/** Accepts any file: the service reads more types than this server, and reports a type that it cannot read. */
function serviceHandler(options: ServiceOptions, { egress }: BuildContext): FileHandler {
  return {
    accepts: ['any file'],
    fingerprint: async (_name, bytes) => sha256(bytes),
    item: async (upload) => ({
      name: upload.name,
      source: upload.name,
      fingerprint: upload.sha256,
      read: (signal) => partition(upload, options, egress, signal),
    }),
    read: (file, { signal }) => partition(file, options, egress, signal),
  }
}

/** Adds the name of the file to the metadata, under the given key. */
function withNameKey(key: string, { accepts, fingerprint, item, read }: FileHandler): FileHandler {
  const addName = async function* (batches: AsyncIterable<ParsedBatch>, name: string) {
    for await (const batch of batches) {
      for (const part of batch.parts) part.metadata = { ...part.metadata, [key]: name }
      yield batch
    }
  }
  return {
    accepts,
    fingerprint,
    async item(upload) {
      const loaderItem = await item(upload)
      return (
        loaderItem && {
          ...loaderItem,
          read: (signal, password) => addName(loaderItem.read(signal, password), upload.name),
        }
      )
    },
    read: (file, opening) => addName(read(file, opening), file.name),
  }
}

function serviceOptions(values: Values, context: BuildContext): Omit<ServiceOptions, 'address'> {
  const { chunkingStrategy, skipInferTableTypes } = values
  const shown = (value: number | undefined) => (value === undefined ? undefined : String(value))
  const key = { nodeKey: undefined, credential: values.credential, field: 'unstructuredAPIKey' }
  return {
    apiKey: keyReader(key, context),
    form: {
      strategy: values.strategy,
      encoding: values.encoding,
      skip_infer_table_types: skipInferTableTypes && JSON.stringify(skipInferTableTypes),
      hi_res_model_name: values.hiResModelName,
      chunking_strategy: chunkingStrategy === 'None' ? undefined : chunkingStrategy,
      ocr_languages: values.ocrLanguages,
      coordinates: String(values.coordinates),
      xml_keep_tags: String(values.xmlKeepTags),
      include_page_breaks: String(values.includePageBreaks),
      multipage_sections: String(values.multiPageSections),
      combine_under_n_chars: shown(values.combineUnderNChars),
      new_after_n_chars: shown(values.newAfterNChars),
      max_characters: shown(values.maxCharacters),
    },
  }
}
