import { readFile } from 'node:fs/promises'
import type { PredictionUpload } from '../../agent/prediction.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { SentUpload } from '../../api/prediction.ts'
import type { ChatFile } from '../../contract/chat-message-store.ts'
import { FILE_TYPES, type FileParser } from '../../contract/file-parser.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import { readFileOnDisk } from '../../sources/file-item.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { firstBytes } from '../../sources/web/body.ts'

/** The most bytes a picture may have; what providers take. */
export const PICTURE_BYTES = 5 * 2 ** 20

export const PICTURE_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const

/** What came along with a question: for the model, for the record, and for the vector store. */
export type QuestionUploads = { asked: PredictionUpload[]; pictures: ChatFile[]; toLoad: LoadableFile[] }

export type LoadableFile = { name: string; bytes: Buffer }

const refusal = (file: string, reason: string) => new SluiceError('upload_refused', { file, reason })

/**
 * Sorts what a body carries along (compat 3.3, `uploads`); pictures by address have been fetched before.
 *
 * @throws SluiceError `upload_refused` for what no part of this server makes use of
 */
export function readUploads(sent: readonly SentUpload[]): QuestionUploads {
  const taken: QuestionUploads = { asked: [], pictures: [], toLoad: [] }
  for (const upload of sent) {
    const { type, name, mime, data } = upload
    if (type === 'file:full') {
      const text = data?.startsWith('data:') ? bytesOf(upload).toString('utf8') : (data ?? '')
      taken.asked.push({ type: 'text', name, mime: mime ?? 'text/plain', data: text })
    } else if (type === 'file:rag') {
      // Without data the client has loaded it already, by an upsert of its own.
      if (data) taken.toLoad.push({ name, bytes: bytesOf(upload) })
    } else if (type === 'file') {
      takePicture(taken, { name, mime: mime ?? mimeOf(data ?? ''), bytes: bytesOf(upload) })
    } else {
      const reasons: Record<string, string> = {
        audio: 'this server does not listen; send the words as text',
      }
      throw refusal(
        name,
        reasons[type] ?? `${type} is no kind of upload; there are file, file:full, file:rag and url`,
      )
    }
  }
  return taken
}

/** Files of a form: pictures go to the model as they are, of all others the text. */
export async function readFormFiles(
  files: readonly UploadedFile[],
  textOf: (file: UploadedFile) => Promise<string>,
): Promise<QuestionUploads> {
  const taken: QuestionUploads = { asked: [], pictures: [], toLoad: [] }
  for (const file of files) {
    const mime = pictureTypeOf(file.name)
    if (mime) {
      if (file.size > PICTURE_BYTES) throw tooLarge(file.name)
      takePicture(taken, { name: file.name, mime, bytes: await readFile(file.path) })
    } else taken.asked.push({ type: 'text', name: file.name, mime: 'text/plain', data: await textOf(file) })
  }
  return taken
}

function takePicture(taken: QuestionUploads, picture: { name: string; mime: string; bytes: Buffer }): void {
  const { name, mime, bytes } = picture
  if (!PICTURE_TYPES.some((type) => type === mime))
    throw refusal(
      name,
      `${mime} is no type of picture that models take; the text of a file is sent as file:full`,
    )
  if (bytes.length > PICTURE_BYTES) throw tooLarge(name)
  taken.asked.push({ type: 'image', name, mime, data: `data:${mime};base64,${bytes.toString('base64')}` })
  taken.pictures.push({ id: randomId(), name, mime, content: new Uint8Array(bytes) })
}

const tooLarge = (name: string) =>
  refusal(name, `a picture may have ${PICTURE_BYTES / 2 ** 20} MB at the most`)

/** The bytes of a data URI in base64 (RFC 2397). */
function bytesOf({ name, data }: SentUpload): Buffer {
  const [, encoded] = /^data:[^,]*;base64,([A-Za-z0-9+/]*={0,2})$/.exec(data ?? '') ?? []
  if (encoded === undefined) throw refusal(name, 'its data are no data URI in base64')
  return Buffer.from(encoded, 'base64')
}

const mimeOf = (data: string): string => /^data:([^;,]*)/.exec(data)?.[1] || 'unknown'

function pictureTypeOf(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  return PICTURE_TYPES.find((type) => type === `image/${ending === 'jpg' ? 'jpeg' : ending}`)
}

/** The most text that one file may add to a question; what is longer belongs into a vector store. */
const MOST_CHARACTERS = 2_000_000

/** The text of a file that goes along with a question, whatever its type. @throws SluiceError as reading files does */
export async function textOfFile(
  file: UploadedFile,
  parser: FileParser,
  signal: AbortSignal,
): Promise<string> {
  const reading = { types: FILE_TYPES, accepts: ANY_ENDINGS, options: {}, parser }
  const texts: string[] = []
  let length = 0
  let apart = ''
  for await (const { parts } of readFileOnDisk(file, reading, signal))
    for (const { pageContent, last } of parts) {
      length += pageContent.length
      if (length > MOST_CHARACTERS)
        throw new SluiceError('file_over_limit', {
          file: file.name,
          reason: `it has more than ${MOST_CHARACTERS} characters, too many to go along with a question`,
        })
      texts.push(apart, pageContent)
      apart = last ? '\n\n' : ''
    }
  return texts.join('')
}

/**
 * Uploads of the type `url` with the bytes that are at the address, as uploads of the type `file`; all others as they
 * are. The address is fetched here and not by the provider, so that the rules of the server's egress hold.
 *
 * @throws SluiceError `upload_refused`; as `egress.fetch` does
 */
export const withLinkedPictures = (
  sent: readonly SentUpload[],
  egress: Egress,
  signal: AbortSignal,
): Promise<SentUpload[]> =>
  Promise.all(sent.map((upload) => (upload.type === 'url' ? fetched(upload, egress, signal) : upload)))

async function fetched({ name, data }: SentUpload, egress: Egress, signal: AbortSignal): Promise<SentUpload> {
  const refusal = (reason: string) => new SluiceError('upload_refused', { file: name, reason })
  if (!URL.canParse(data ?? '') || !/^https?:/i.test(data!))
    throw refusal('its data is no address that begins with http:// or https://')
  const response = await egress.fetch(data!, { signal })
  const bytes = await firstBytes(response, PICTURE_BYTES + 1)
  if (!response.ok) throw refusal(`the server of its address answers ${response.status}`)
  // One byte more than allowed makes the upload too large; the type is checked with all other pictures.
  const mime = (response.headers.get('content-type') ?? 'unknown').split(';', 1)[0]!.trim().toLowerCase()
  return { type: 'file', name, mime, data: `data:${mime};base64,${Buffer.from(bytes).toString('base64')}` }
}
