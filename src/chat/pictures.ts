import type { UserContent } from '../contract/chat-model.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { firstBytes } from '../sources/web/body.ts'
import type { PicturePart } from './sdk.ts'

type Picture = Extract<UserContent, { type: 'image' }>

/** The largest picture that is fetched for a provider. */
export const MAX_PICTURE_BYTES = 20 * 2 ** 20

/**
 * A picture in the form that the provider takes: a data URI becomes bytes. An address stays an address if the provider
 * fetches it itself (`byAddress`), otherwise it is fetched here.
 *
 * @throws SluiceError `fetch_failed`, also for more than 20 MB; `egress_denied`
 */
export async function picturePart(
  { url, mime }: Picture,
  { egress, byAddress, signal }: { egress: Egress; byAddress: boolean; signal: AbortSignal },
): Promise<PicturePart> {
  if (/^data:/i.test(url)) return fromDataUri(url, mime)
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw unusable('it is neither an address nor a data URI')
  if (byAddress) return { type: 'file', mediaType: mime ?? 'image', data: { type: 'url', url: new URL(url) } }
  const response = await egress.fetch(url, { signal })
  const type = (response.headers.get('content-type') ?? mime ?? '').split(';', 1)[0]!.trim()
  const bytes = await firstBytes(response, MAX_PICTURE_BYTES + 1)
  if (!response.ok) throw unusable(`the server answers ${response.status}`)
  if (!type.startsWith('image/')) throw unusable('the response is not a picture')
  if (bytes.length > MAX_PICTURE_BYTES) throw unusable('it is larger than 20 MB')
  return { type: 'file', mediaType: type, data: { type: 'data', data: bytes } }
}

/** @see https://www.rfc-editor.org/rfc/rfc2397 */
function fromDataUri(uri: string, mime: string | undefined): PicturePart {
  const comma = uri.indexOf(',')
  const [type = '', ...more] = uri.slice('data:'.length, comma).split(';')
  const mediaType = type || (mime ?? '')
  if (comma < 0 || !mediaType.startsWith('image/')) throw unusable('its data URI contains no picture')
  const content = uri.slice(comma + 1)
  const data = more.includes('base64') ? content : Buffer.from(decodeURIComponent(content)).toString('base64')
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

const unusable = (reason: string) =>
  new SluiceError('fetch_failed', { file: 'The picture', reason, stage: 'chat' })
