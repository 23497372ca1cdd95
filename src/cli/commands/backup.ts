import path from 'node:path'
import { command } from '../command.ts'
import { mustExist } from '../key-ring.ts'
import { flag } from '../options.ts'
import { readableBytes } from '../units.ts'

export const backup = command({
  summary: 'Copies the data directory into one file, while a server runs or not',
  args: ['<file>'],
  about:
    'The file holds flows, keys, credentials, chunks, chats, and the uploads of jobs that are not done: one moment of all\n' +
    'of it. Keep it as safe as the data directory itself. `sluice restore` brings it back.',
  options: { json: flag('prints what was copied as JSON') },
  settings: ['DATA_DIR'],
  examples: ['backups/monday.sluice', '/mnt/backup/sluice.db --data-dir /var/lib/sluice'],
  async run({ world, config, args, options }) {
    mustExist(config)
    const report = await world.offline.backup(config.DATA_DIR, path.resolve(world.directory, args[0]!))
    const { flows, chunks, credentials, keys, jobs, secret, bytes } = report
    if (options.json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else
      world.stdout.write(
        `${args[0]}: ${readableBytes(bytes)}, ${flows} flows, ${chunks} chunks, ${credentials} credentials, ${keys} keys, ` +
          `uploads of ${jobs} jobs\n`,
      )
    world.stderr.write(
      secret === 'included'
        ? 'It opens the stored credentials: keep it as safe as the data directory.\n'
        : 'Credentials in it open with the SECRET_KEY of this server only: keep that too.\n',
    )
    return 0
  },
})
