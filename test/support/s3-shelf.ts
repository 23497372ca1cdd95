import type { TestContext } from 'node:test'
import { s3Shelf, type S3ShelfOptions } from '../../src/blobs/s3-shelf.ts'
import type { BlobShelf } from '../../src/contract/blob-shelf.ts'
import type { BlobPlace } from '../../src/kit/blob-url.ts'
import { createEgress, type EgressLimits } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { S3_DOMAIN } from './ceph.ts'
import { newBucket, s3Server } from './s3-server.ts'
import { LOOPBACK } from './loopback.ts'

export type ShelfOptions = Partial<BlobPlace> &
  Pick<S3ShelfOptions, 'partBytes' | 'pageSize'> & { limits?: Partial<EgressLimits> }

/** A shelf in a new bucket of the S3 server of the tests. */
export async function testShelf(t: TestContext, options: ShelfOptions = {}): Promise<BlobShelf> {
  const { partBytes, pageSize, limits, ...rest } = options
  const { endpoint, ...keys } = await s3Server()
  const url = new URL(endpoint)
  // Buckets are subdomains of a name that only this client resolves.
  if (rest.style === 'virtual') url.hostname = S3_DOMAIN
  const place: BlobPlace = {
    endpoint: url,
    bucket: rest.bucket ?? (await newBucket()),
    prefix: '',
    region: 'us-east-1',
    style: 'path',
    ...rest,
  }
  const egress = createEgress({
    rules: createEgressRules({ allow: LOOPBACK }),
    resolve: async () => ['127.0.0.1'],
    ...(limits ? { limits } : {}),
  })
  const shelf = s3Shelf({
    place,
    keys,
    egress,
    // Tests do not wait.
    retries: { baseMs: 1, maxMs: 5 },
    ...(partBytes ? { partBytes } : {}),
    ...(pageSize ? { pageSize } : {}),
  })
  t.after(() => shelf.close())
  return shelf
}
