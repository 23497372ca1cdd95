import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { firstBytes } from '../../sources/web/body.ts'
import type { SentUpload } from '../../api/prediction.ts'
import { PICTURE_BYTES } from './uploads.ts'

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
