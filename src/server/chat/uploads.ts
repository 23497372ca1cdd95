import { readFile } from 'node:fs/promises'
import type { PredictionUpload } from '../../agent/prediction.ts'
import type { SentUpload } from '../../api/prediction.ts'
import type { ChatFile } from '../../contract/chat-message-store.ts'
import { FILE_TYPES, type FileParser } from '../../contract/file-parser.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { readFileOnDisk } from '../../sources/file-item.ts'
import { firstBytes } from '../../sources/web/body.ts'

/** The largest accepted picture, in bytes: the limit of model providers. */
export const PICTURE_BYTES = 5 * 2 ** 20

/** The accepted types of pictures. */
export const PICTURE_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const

/** The most text that one file may add to a question, in characters. Longer texts belong into a vector store. */
const MAX_TEXT_LENGTH = 2_000_000

/** The uploads of a question: for the model, to be stored with the question, and for the vector store. */
export type QuestionUploads = {
  forModel: PredictionUpload[]
  pictures: ChatFile[]
  toLoad: LoadableFile[]
}

export type LoadableFile = { name: string; bytes: Buffer }

const refusal = (file: string, reason: string) => new SluiceError('upload_refused', { file, reason })

/**
 * Reads the `uploads` of a body but its recordings. Pictures by web address must have been fetched: see `withLinkedPictures`.
 *
 * @throws SluiceError `upload_refused` for types of uploads that this server does not use
 */
export function readUploads(sent: readonly SentUpload[]): QuestionUploads {
  const result: QuestionUploads = { forModel: [], pictures: [], toLoad: [] }
  for (const upload of sent) {
    const { type, name, mime, data } = upload
    if (type === 'file:full') {
      const text = data?.startsWith('data:') ? bytesOf(upload).toString('utf8') : (data ?? '')
      result.forModel.push({ type: 'text', name, mime: mime ?? 'text/plain', data: text })
    } else if (type === 'file:rag') {
      // An upload without data was loaded before, by an upsert of the client.
      if (data) result.toLoad.push({ name, bytes: bytesOf(upload) })
    } else if (type === 'file') {
      addPicture(result, { name, mime: mime ?? mimeOf(data ?? ''), bytes: bytesOf(upload) })
    } else {
      throw refusal(name, `${type} is no type of upload; there are file, file:full, file:rag, url and audio`)
    }
  }
  return result
}

/** Reads the files of a form. The model gets pictures as they are, and the text of all other files. */
export async function readFormFiles(
  files: readonly UploadedFile[],
  textOf: (file: UploadedFile) => Promise<string>,
): Promise<QuestionUploads> {
  const result: QuestionUploads = { forModel: [], pictures: [], toLoad: [] }
  for (const file of files) {
    const mime = pictureTypeOf(file.name)
    if (mime) {
      if (file.size > PICTURE_BYTES) throw tooLarge(file.name)
      addPicture(result, { name: file.name, mime, bytes: await readFile(file.path) })
    } else
      result.forModel.push({ type: 'text', name: file.name, mime: 'text/plain', data: await textOf(file) })
  }
  return result
}

function addPicture(result: QuestionUploads, picture: { name: string; mime: string; bytes: Buffer }): void {
  const { name, mime, bytes } = picture
  if (!PICTURE_TYPES.some((type) => type === mime))
    throw refusal(
      name,
      `${mime} is no type of picture that models take; the text of a file is sent as file:full`,
    )
  if (bytes.length > PICTURE_BYTES) throw tooLarge(name)
  result.forModel.push({ type: 'image', name, mime, data: dataUrl(mime, bytes) })
  result.pictures.push({ id: randomId(), name, mime, content: new Uint8Array(bytes) })
}

const tooLarge = (name: string) =>
  refusal(name, `a picture may have ${PICTURE_BYTES / 2 ** 20} MB at the most`)

const dataUrl = (mime: string, bytes: Uint8Array): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

/** The bytes of a data URL in base64 (RFC 2397). */
function bytesOf({ name, data }: SentUpload): Buffer {
  const [, encoded] = /^data:[^,]*;base64,([A-Za-z0-9+/]*={0,2})$/.exec(data ?? '') ?? []
  if (encoded === undefined) throw refusal(name, 'its data is no data URL in base64')
  return Buffer.from(encoded, 'base64')
}

const mimeOf = (data: string): string => /^data:([^;,]*)/.exec(data)?.[1] || 'unknown'

function pictureTypeOf(name: string): string | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  return PICTURE_TYPES.find((type) => type === `image/${extension === 'jpg' ? 'jpeg' : extension}`)
}

/** The text of a file of any type, to be sent with a question. @throws SluiceError as reading files does */
export async function textOfFile(
  file: UploadedFile,
  parser: FileParser,
  signal: AbortSignal,
): Promise<string> {
  const reading = { types: FILE_TYPES, accepts: ANY_ENDINGS, options: {}, parser }
  const texts: string[] = []
  let length = 0
  let separator = ''
  for await (const { parts } of readFileOnDisk(file, reading, { signal }))
    for (const { pageContent, last } of parts) {
      length += pageContent.length
      if (length > MAX_TEXT_LENGTH)
        throw new SluiceError('file_over_limit', {
          file: file.name,
          reason: `it has more than ${MAX_TEXT_LENGTH} characters, too many for a question`,
        })
      texts.push(separator, pageContent)
      separator = last ? '\n\n' : ''
    }
  return texts.join('')
}

/**
 * Fetches uploads of the type `url` and makes them uploads of the type `file`; all others stay as they are. They are
 * fetched here and not by the provider, so that the egress rules of this server apply.
 *
 * @throws SluiceError `upload_refused`; as `egress.fetch` does
 */
export const withLinkedPictures = (
  sent: readonly SentUpload[],
  egress: Egress,
  signal: AbortSignal,
): Promise<SentUpload[]> =>
  Promise.all(sent.map((upload) => (upload.type === 'url' ? fetchPicture(upload, egress, signal) : upload)))

async function fetchPicture(
  { name, data }: SentUpload,
  egress: Egress,
  signal: AbortSignal,
): Promise<SentUpload> {
  if (!URL.canParse(data ?? '') || !/^https?:/i.test(data!))
    throw refusal(name, 'its data is no address that begins with http:// or https://')
  const response = await egress.fetch(data!, { signal })
  // One byte more than allowed is enough to refuse a picture as too large; its type is checked with all others.
  const bytes = await firstBytes(response, PICTURE_BYTES + 1)
  if (!response.ok) throw refusal(name, `the server of its address answers ${response.status}`)
  const mime = (response.headers.get('content-type') ?? 'unknown').split(';', 1)[0]!.trim().toLowerCase()
  return { type: 'file', name, mime, data: dataUrl(mime, bytes) }
}
