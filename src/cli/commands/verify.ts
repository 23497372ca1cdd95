import { existsSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { command } from '../command.ts'
import { mustExist } from '../key-ring.ts'
import { flag } from '../options.ts'
import { paintFor } from '../paint.ts'
import { table } from '../table.ts'

export const verify = command({
  summary: 'Looks through the data directory for damage and for what does not fit together',
  about:
    'It only reads, while a server runs or not. It ends with 1 where it has found something: damaged pages, contents\n' +
    'that differ from their checksums, a lost log, rows that refer to nothing, wrong counts of chunks, passages without\n' +
    'a vector or outside the text index, uploads that belong to no job.',
  options: { json: flag('prints what was looked at as JSON') },
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
