import { existsSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { mustExist } from '../key-ring.ts'
import { flag } from '../options.ts'
import { paintFor } from '../paint.ts'
import { table } from '../table.ts'

export const verify = command({
  summary: 'Checks the database for damage and inconsistencies',
  about:
    'It only reads, and a server may run meanwhile. The exit code is 1 when it finds damaged pages, contents that differ from\n' +
    'their checksums, a lost log, references to rows that do not exist, wrong counts of chunks, passages that have no vector or\n' +
    'are missing in the text index, or uploads that belong to no job. With DATABASE_URL it checks that database, and the replica\n' +
    'of it in DATA_DIR.',
  options: {
    json: flag('prints the checks as JSON'),
    repair: flag('deletes the replica in DATA_DIR first, while no server uses it: it is copied again'),
  },
  settings: ['DATA_DIR'],
  examples: ['', '--json --data-dir /var/lib/sluice'],
  async run({ world, config, options }) {
    const { DATA_DIR, DATABASE_URL } = config
    if (options.repair && DATABASE_URL === undefined)
      throw new UsageError('--repair is for the replica of a PostgreSQL database: set DATABASE_URL')
    if (DATABASE_URL === undefined && !existsSync(path.join(DATA_DIR, DATA_FILES.marker))) mustExist(config)
    if (options.repair) await world.offline.dropReplica(DATA_DIR)
    const checks = await world.offline.verify(DATA_DIR, DATABASE_URL)
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
