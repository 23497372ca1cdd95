import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { FILE_TYPES } from '../src/contract/file-parser.ts'
import { complaintOf, readSamples, RECORDED_FILE, recordedOutputs } from '../test/support/reader-samples.ts'

/*
 * npm run reader-outputs
 *
 * Records what each reader gives for the samples. Refuses a reader with changed output and an unchanged revision.
 */
const folder = mkdtempSync(path.join(os.tmpdir(), 'sluice-samples-'))
try {
  const now = await readSamples(folder)
  const recorded = existsSync(RECORDED_FILE) ? recordedOutputs() : {}
  const refused = FILE_TYPES.map((type) => complaintOf(type, recorded[type], now[type])).filter((complaint) =>
    complaint?.includes('raise the revision'),
  )
  for (const complaint of refused) console.error(complaint)
  if (refused.length > 0) process.exitCode = 1
  else writeFileSync(RECORDED_FILE, `${JSON.stringify(now, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
