import { text } from 'node:stream/consumers'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { SettingStore } from '../contract/setting-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import { textSource } from './source.ts'

/** The file on a bucket that says to which database its files belong. */
const MARK = 'sluice-files.json'

/** The id of the files of a database, and that they are on a bucket. */
const ID = 'filesId'
const ON_BUCKET = 'filesOnBucket'

export type Claim = {
  settings: SettingStore
  /** Whether the database names files of documents or jobs. */
  inUse(): Promise<boolean>
  /** The bucket, for messages. */
  place: string
}

/**
 * Checks that a bucket has the files of this database, and makes it the place of its files at the first start with it. Two
 * databases must not share a folder of a bucket, since each removes files that it does not know.
 *
 * @throws SluiceError `blob_place_wrong`, `blob_failed`
 */
export async function claimBucket(bucket: BlobShelf, { settings, inUse, place }: Claim): Promise<void> {
  const refuse = (reason: string) =>
    new SluiceError('blob_place_wrong', { reason: `the bucket ${place} ${reason}` })
  const mark = await readMark(bucket)
  const known = await settings.get(ID)
  if (mark !== undefined && mark !== known)
    throw refuse(
      'has the files of another database; name another folder of it, as in s3://HOST/BUCKET/FOLDER',
    )
  if (mark === undefined) {
    if (known !== undefined && (await settings.get(ON_BUCKET)) && (await inUse()))
      throw refuse(
        'does not have the files of this database: name the bucket that it had before, or a copy of it',
      )
    const id = await settings.keep(ID, randomId())
    const isFirst = await bucket.put(MARK, textSource(JSON.stringify({ id })), { ifAbsent: true })
    if (!isFirst && (await readMark(bucket)) !== id) throw refuse('was just taken by another database')
  }
  await settings.keep(ON_BUCKET, 'yes')
}

/** Checks that the files of a database are in its data directory. @throws SluiceError `blob_place_wrong` */
export async function claimDirectory({ settings, inUse }: Omit<Claim, 'place'>): Promise<void> {
  if (!(await settings.get(ON_BUCKET))) return
  if (await inUse())
    throw new SluiceError('blob_place_wrong', {
      reason:
        'it is not set, and the files of its documents and jobs are in a bucket: set BLOB_URL as before',
    })
  await settings.remove(ON_BUCKET)
}

async function readMark(bucket: BlobShelf): Promise<string | undefined> {
  const found = await bucket.get(MARK)
  if (!found) return undefined
  const mark: unknown = JSON.parse(await text(found.content))
  return String((mark as { id?: unknown }).id)
}
