import path from 'node:path'
import { command } from '../command.ts'
import { Failure } from '../failure.ts'
import { flag } from '../options.ts'
import { printable } from '../printable.ts'
import { countsOf } from './backup.ts'

export const restore = command({
  summary: 'Restores a backup into an empty data directory',
  args: ['<file>'],
  about:
    'The backup is checked before anything is written. A directory that is not empty, or that a server uses, is refused. So is\n' +
    'a backup that something else has changed: one with a trigger, a view or a table that Sluice has not made. Files in it that are none of\n' +
    'Sluice are left out and named.',
  options: { json: flag('prints what was restored as JSON') },
  settings: ['DATA_DIR'],
  examples: ['backups/monday.sluice --data-dir /var/lib/sluice'],
  async run({ world, config, args, options }) {
    if (config.DATABASE_URL !== undefined)
      throw new Failure(
        'A server with DATABASE_URL does not use DATA_DIR: nothing was restored',
        'restore without DATABASE_URL, then move the data: sluice move --to postgres://…',
      )
    const report = await world.offline.restore(path.resolve(world.directory, args[0]!), config.DATA_DIR)
    const { credentials, secret } = report
    if (options.json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else world.stdout.write(`${config.DATA_DIR}: ${countsOf(report)}\n`)
    if (report.leftOut)
      world.stderr.write(
        `Left out, since they are no files of Sluice: ${report.leftOut.map(printable).join(', ')}\n`,
      )
    if (secret === 'SECRET_KEY' && credentials > 0)
      world.stderr.write(
        'The credentials can be decrypted only with the SECRET_KEY of the copied server: set the same.\n',
      )
    return 0
  },
})
