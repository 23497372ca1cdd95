import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { shelveFiles } from '../../src/server/uploads.ts'
import { directoryShelf } from '../../src/upsert/upload-shelf.ts'
import { uploadShelfSuite } from './upload-shelf.ts'

uploadShelfSuite('a directory', (t) => {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-shelf-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  // It is made with the first upload.
  const directory = path.join(home, 'uploads')
  return { shelf: directoryShelf(directory), store: (files) => shelveFiles(directory, files) }
})
