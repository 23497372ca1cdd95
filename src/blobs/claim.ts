import { text } from 'node:stream/consumers'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import { FILES_ON_BUCKET } from '../contract/data-files.ts'
import type { SettingStore } from '../contract/setting-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { textSource } from './source.ts'

/** The file that says to which database the files of a bucket belong. */
const MARK = 'sluice-files.json'

/** The id of the files of a database. */
const ID = 'filesId'

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
    if (known !== undefined && (await settings.get(FILES_ON_BUCKET)) && (await inUse()))
      throw refuse(
        'does not have the files of this database: name the bucket that it had before, or a copy of it',
      )
    const id = await settings.keep(ID, randomId())
    const isFirst = await bucket.put(MARK, textSource(JSON.stringify({ id })), { ifAbsent: true })
    if (!isFirst && (await readMark(bucket)) !== id) throw refuse('was just taken by another database')
  }
  await settings.keep(FILES_ON_BUCKET, 'yes')
}

/**
 * Checks that the files of a database are in its data directory. They are there again after a copy of all files of the bucket into
 * it, the mark included.
 *
 * @throws SluiceError `blob_place_wrong`
 */
export async function claimDirectory(
  directory: BlobShelf,
  { settings, inUse }: Omit<Claim, 'place'>,
): Promise<void> {
  if (!(await settings.get(FILES_ON_BUCKET))) return
  const isBack = (await readMark(directory)) === (await settings.get(ID))
  if (!isBack && (await inUse()))
    throw new SluiceError('blob_place_wrong', {
      reason:
        'it is not set, and the files of its documents and jobs are in a bucket: set BLOB_URL as before, or copy all files of the bucket into the data directory',
    })
  await settings.remove(FILES_ON_BUCKET)
  await directory.remove([MARK])
}

async function readMark(bucket: BlobShelf): Promise<string | undefined> {
  const found = await bucket.get(MARK)
  if (!found) return undefined
  const mark = parseJson(await text(found.content))
  // A file of this name that is not ours belongs to others, too.
  return isObject(mark) ? String(mark.id) : ''
}
