import type { Run } from '../server/runs.ts'
import { saveAsFile } from './save-as-file.ts'

/** What a file with a record begins with: `RUN_FORMAT` of `src/api/run.ts`. */
const FORMAT: Run['format'] = 'sluice-run-1'

/**
 * Reads the record of a run from the text of a file.
 *
 * @param name of the file, for the message
 * @throws Error with a sentence that names the file
 */
export function readRunFile(text: string, name: string): Run {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${name} is not the record of a run: it is not JSON`)
  }
  const run = value as Partial<Run> | null
  if (typeof run !== 'object' || run === null || typeof run.format !== 'string')
    throw new Error(`${name} is not the record of a run`)
  if (run.format !== FORMAT)
    throw new Error(`${name} is a record of the form ${String(run.format)}, which this version does not open`)
  const isWhole =
    typeof run.startedAt === 'string' &&
    typeof run.flow === 'object' &&
    [run.spans, run.nodes, run.lines].every(Array.isArray)
  if (!isWhole) throw new Error(`${name} is the record of a run, but parts of it are missing`)
  return run as Run
}

/** Saves a record as a file that opens in the studio of any server, and by `sluice run show`. */
export const saveRun = (run: Run): void =>
  saveAsFile(`run-${run.id.slice(0, 8)}.json`, `${JSON.stringify(run)}\n`)
