import { openAsBlob } from 'node:fs'
import type { ParsedBatch } from '../../contract/file-parser.ts'
import { FILE_LIMITS } from '../../formats/limits.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import { type FileOnDisk, withDiskErrors } from '../file-item.ts'

export type ServiceOptions = {
  address: string
  apiKey(): Promise<string | undefined>
  /** The other fields of the form; a list becomes one field for each entry. */
  form: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Recognising text in pictures can take minutes. */
const TIMEOUT_MS = 600_000
/** The elements of the largest file, with their places. */
const ANSWER_BYTES = 100 * 2 ** 20

/** Splits a file by the partition API of Unstructured: a document per element, with its `category`. */
export async function* partition(
  file: FileOnDisk,
  { address, apiKey, form }: ServiceOptions,
  egress: Egress,
  signal: AbortSignal,
): AsyncGenerator<ParsedBatch> {
  const refuse = (reason: string) => new SluiceError('fetch_failed', { file: file.name, reason })
  if (file.size > FILE_LIMITS.documentBytes)
    throw new SluiceError('file_over_limit', {
      file: file.name,
      reason: `it has ${Math.ceil(file.size / 2 ** 20)} MB, the limit is ${FILE_LIMITS.documentBytes / 2 ** 20} MB`,
    })
  const key = await apiKey()
  const fetch = egress
    .forProvider(address)
    .limited({ headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, responseBytes: ANSWER_BYTES })
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', ...(key === undefined ? {} : { 'unstructured-api-key': key }) },
    body: await formOf(file, form),
    signal,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw refuse(`the Unstructured API answers ${response.status}`)
  }
  const elements = parseJson(await response.text())
  if (!Array.isArray(elements) || !elements.every(isElement))
    throw refuse('the answer of the Unstructured API is not a list of elements')
  const parts = elements.map(({ type, text, metadata }) => ({
    pageContent: text,
    metadata: { source: file.name, ...metadata, category: type },
    last: true,
  }))
  yield { parts: parts.filter(({ pageContent }) => pageContent.trim() !== ''), notes: [] }
}

async function formOf(file: FileOnDisk, fields: ServiceOptions['form']): Promise<FormData> {
  const form = new FormData()
  form.append('files', await withDiskErrors(file.name, () => openAsBlob(file.path)), file.name)
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    for (const one of typeof value === 'string' ? [value] : value) form.append(name, one)
  }
  return form
}

type ApiElement = { type: string; text: string; metadata: JsonObject }

const isElement = (value: unknown): value is ApiElement =>
  isObject(value) &&
  typeof value.type === 'string' &&
  typeof value.text === 'string' &&
  isObject(value.metadata ?? {})
