import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadedFile } from '../contract/loader.ts'
import { randomId } from '../kit/hash.ts'
import type { Originals } from '../upsert/originals.ts'
import type { Upload } from './uploads.ts'

/**
 * Copies kept files to a new folder of the upload directory, like files of a form: a job owns its files, and the kept ones
 * may go while it waits. `missing` has the names of files that are not on the shelf any more.
 */
export async function uploadKeptFiles(
  directory: string,
  originals: Pick<Originals, 'open'>,
  kept: readonly { name: string; id: string }[],
): Promise<Upload & { missing: string[] }> {
  const folder = randomId()
  const location = path.join(directory, folder)
  const remove = () => rm(location, { recursive: true, force: true })
  const files: UploadedFile[] = []
  const missing: string[] = []
  try {
    await mkdir(location, { recursive: true, mode: 0o700 })
    for (const { name, id } of kept) {
      const original = await originals.open(id)
      if (!original) {
        missing.push(name)
        continue
      }
      const file = path.join(location, String(files.length))
      const digest = createHash('sha256')
      let size = 0
      const hashing = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          digest.update(chunk)
          size += chunk.length
          done(null, chunk)
        },
      })
      await pipeline(original.content, hashing, createWriteStream(file, { mode: 0o600 }))
      files.push({ name, path: file, size, sha256: digest.digest('hex') })
    }
    return { folder, files, fields: [], remove, missing }
  } catch (error) {
    await remove()
    throw error
  }
}
