import path from 'node:path'
import { command } from '../command.ts'
import { flag } from '../options.ts'

export const restore = command({
  summary: 'Brings a backup back into an empty data directory',
  args: ['<file>'],
  about:
    'The backup is checked before anything takes its place. A directory that holds something, or that a server uses, is\n' +
    'refused.',
  options: { json: flag('prints what was restored as JSON') },
  settings: ['DATA_DIR'],
  examples: ['backups/monday.sluice --data-dir /var/lib/sluice'],
  async run({ world, config, args, options }) {
    const report = await world.offline.restore(path.resolve(world.directory, args[0]!), config.DATA_DIR)
    const { flows, chunks, credentials, keys, jobs, secret } = report
    if (options.json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else
      world.stdout.write(
        `${config.DATA_DIR}: ${flows} flows, ${chunks} chunks, ${credentials} credentials, ${keys} keys, uploads of ${jobs} jobs\n`,
      )
    if (secret === 'SECRET_KEY' && credentials > 0)
      world.stderr.write(
        'The credentials open with the SECRET_KEY of the server that was copied: set the same.\n',
      )
    return 0
  },
})
