import path from 'node:path'
import type { BackupReport } from '../../contract/data-directory.ts'
import { command } from '../command.ts'
import { Failure } from '../failure.ts'
import { mustExist } from '../key-ring.ts'
import { flag } from '../options.ts'
import { counted, readableBytes } from '../units.ts'

export const backup = command({
  summary: 'Copies the data directory into one file; a server may run meanwhile',
  args: ['<file>'],
  about:
    'The file holds flows, keys, credentials, chunks, chats, and the uploads of unfinished jobs, all at the same moment. Keep it\n' +
    'as safe as the data directory itself. "sluice restore" reads it. A database of DATABASE_URL is copied with pg_dump.',
  options: { json: flag('prints what was copied as JSON') },
  settings: ['DATA_DIR'],
  examples: ['backups/monday.sluice', '/mnt/backup/sluice.db --data-dir /var/lib/sluice'],
  async run({ world, config, args, options }) {
    if (config.DATABASE_URL !== undefined)
      throw new Failure(
        'The data is in the database of DATABASE_URL, not in DATA_DIR: nothing was copied',
        'copy it with pg_dump, see "Back up" in docs/operate.md; or move it into a directory first: sluice move --to DIRECTORY',
      )
    mustExist(config)
    const report = await world.offline.backup(config.DATA_DIR, path.resolve(world.directory, args[0]!))
    const { secret, bytes } = report
    if (options.json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else world.stdout.write(`${args[0]}: ${readableBytes(bytes)}, ${countsOf(report)}\n`)
    world.stderr.write(
      secret === 'included'
        ? 'The file also holds the secret that decrypts the credentials: keep it as safe as the data directory.\n'
        : 'The credentials in it can be decrypted only with the SECRET_KEY of this server: keep that too.\n',
    )
    if (report.files === 'BLOB_URL')
      world.stderr.write(
        'The files of documents and jobs are in the bucket of BLOB_URL: make a copy of it after this one.\n',
      )
    return 0
  },
})

/** What a backup holds, as counts with their nouns. */
export const countsOf = ({
  flows,
  chunks,
  credentials,
  keys,
  jobs,
}: Pick<BackupReport, 'flows' | 'chunks' | 'credentials' | 'keys' | 'jobs'>): string =>
  [
    counted(flows, 'flow'),
    counted(chunks, 'chunk'),
    counted(credentials, 'credential'),
    counted(keys, 'key'),
    `uploads of ${counted(jobs, 'job')}`,
  ].join(', ')
