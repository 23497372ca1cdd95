import { existsSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { command } from '../command.ts'
import { mustExist } from '../key-ring.ts'
import { flag } from '../options.ts'
import { paintFor } from '../paint.ts'
import { table } from '../table.ts'

export const verify = command({
  summary: 'Checks the data directory for damage and inconsistencies',
  about:
    'It only reads, and a server may run meanwhile. The exit code is 1 when it finds damaged pages, contents that differ from\n' +
    'their checksums, a lost log, references to rows that do not exist, wrong counts of chunks, passages that have no vector or\n' +
    'are missing in the text index, or uploads that belong to no job.',
  options: { json: flag('prints the checks as JSON') },
  settings: ['DATA_DIR'],
  examples: ['', '--json --data-dir /var/lib/sluice'],
  async run({ world, config, options }) {
    if (!existsSync(path.join(config.DATA_DIR, DATA_FILES.marker))) mustExist(config)
    const checks = await world.offline.verify(config.DATA_DIR)
    const ok = checks.every(({ findings }) => findings.length === 0)
    if (options.json) world.stdout.write(`${JSON.stringify({ ok, checks }, null, 2)}\n`)
    else
      world.stdout.write(
        table(
          checks.flatMap(({ check, looked, findings, skipped }) =>
            (findings.length > 0 ? findings : [skipped ?? 'ok']).map((found) => ({
              check,
              looked,
              found,
              bad: findings.length > 0,
            })),
          ),
          [
            { title: 'check', value: (row) => row.check, style: () => 'bold' },
            { title: 'looked at', value: (row) => row.looked, right: true },
            { title: 'found', value: (row) => row.found, style: (row) => (row.bad ? 'red' : 'dim') },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return ok ? 0 : 1
  },
})
