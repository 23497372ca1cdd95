import type { BlobShelf } from '../contract/blob-shelf.ts'
import { type BlobKeys, type BlobPlace, keysFor, nameOfPlace, readBlobUrl } from '../kit/blob-url.ts'
import type { Config } from '../kit/config.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import type { BlobCheck } from './readiness.ts'
import { s3Shelf } from './s3-shelf.ts'

export type Bucket = {
  shelf: BlobShelf
  /** Whether it answers, within three seconds. */
  check: BlobCheck
  /** For messages. */
  place: string
  keys: BlobKeys
}

type BucketSettings = Pick<
  Config,
  'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN' | 'EGRESS_DENY'
>

/** The bucket that BLOB_URL names. Its first call comes with its first use. @throws Error as `readBlobUrl` and `keysFor` do */
export function openBucket(url: string, settings: BucketSettings): Bucket {
  const place = readBlobUrl(url)
  const keys = keysFor(place, settings)
  // The owner of the server named this host, so it may be a private one. Tools and loaders do not get to call it by that.
  const rules = createEgressRules({ allow: hostsOf(place), deny: settings.EGRESS_DENY })
  const shelf = s3Shelf({ place, keys, egress: createEgress({ rules }) })
  return { shelf, check: shelf.check, place: nameOfPlace(place), keys }
}

function hostsOf({ endpoint, bucket, style }: BlobPlace): string[] {
  const port = endpoint.port || (endpoint.protocol === 'https:' ? '443' : '80')
  const host = style === 'virtual' ? `${bucket}.${endpoint.hostname}` : endpoint.hostname
  return [`${host}:${port}`]
}
