import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { blobDirectory } from '../../src/blobs/directory.ts'
import { testShelf } from '../support/s3-shelf.ts'
import { blobShelfSuite } from './blob-shelf.ts'

blobShelfSuite(
  'a directory',
  async (t) => {
    const home = mkdtempSync(path.join(tmpdir(), 'sluice-blobs-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    // It is made with the first file.
    return blobDirectory(path.join(home, 'shelf'))
  },
  300_000,
)

const LARGE = 11 * 2 ** 20 + 1

blobShelfSuite('a bucket, path style', (t) => testShelf(t, { partBytes: 5 * 2 ** 20, pageSize: 3 }), LARGE)

blobShelfSuite(
  'a folder of a bucket whose name needs escapes, virtual-host style',
  (t) =>
    testShelf(t, {
      prefix: "Dateien für (alle)+1*'!~ & 100% 漢字/b c/",
      style: 'virtual',
      partBytes: 5 * 2 ** 20,
      pageSize: 3,
    }),
  LARGE,
)
