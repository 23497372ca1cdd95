import path from 'node:path'
import { command } from '../command.ts'
import { flag } from '../options.ts'
import { printable } from '../printable.ts'
import { counted, readableBytes } from '../units.ts'

export const rescue = command({
  summary:
    'Writes the flows, keys, credentials and chats of a data directory from before the first release as a backup',
  args: ['<directory>', '<file>'],
  about:
    'For data directories and backups with schema 8 to 23, which this version does not open. They are only read, also where a\n' +
    'server uses them or the database is damaged in parts. "sluice restore" restores the file. It holds flows with their revisions,\n' +
    'API keys (which stay valid), credentials, variables, and chats with their files, ratings and contacts. It does not hold\n' +
    'documents, jobs, executions, sign-ins and the audit: load the documents again. SECRET_KEY is that of the directory, where it\n' +
    'was set. Ends with 1 where a credential cannot be decrypted or a part is damaged; the rest is written.',
  options: {
    force: flag('replaces the file'),
    json: flag('prints what was rescued as JSON'),
  },
  settings: ['SECRET_KEY'],
  examples: ['/var/lib/sluice rescued.sluice', 'backups/monday.sluice rescued.sluice --force'],
  async run({ world, config, args, options: { force, json } }) {
    const [from, file] = args.map((arg) => path.resolve(world.directory, arg))
    const report = await world.offline.rescue({
      from: from!,
      file: file!,
      force,
      secretKey: config.SECRET_KEY,
    })
    const { bytes, schema, flows, keys, credentials, variables, messages } = report
    const counts = [
      counted(flows, 'flow'),
      counted(keys, 'key'),
      counted(credentials, 'credential'),
      counted(variables, 'variable'),
      counted(messages, 'chat message'),
    ].join(', ')
    if (json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else world.stdout.write(`${args[1]}: ${readableBytes(bytes)}, from schema ${schema}: ${counts}\n`)
    const say = (text: string) => world.stderr.write(`${printable(text)}\n`)
    if (report.isInUse) say('A server uses the directory: what it stores from now on is not in the file.')
    for (const sentence of report.damage) say(`damaged  ${sentence}`)
    for (const name of report.unreadable) say(`not readable  credential ${name}`)
    if (report.unreadable.length > 0)
      say(
        'These credentials are encrypted with another secret. Repeat with SECRET_KEY set to it, or enter their values again after the restore.',
      )
    say(
      report.secret === 'included'
        ? 'The file also holds the secret that decrypts the credentials: keep it as safe as the data directory.'
        : 'The credentials in it can be decrypted only with this SECRET_KEY: the server that gets the file needs the same.',
    )
    say(`Next: sluice restore ${args[1]} --data-dir NEW, then load the documents again.`)
    return report.damage.length > 0 || report.unreadable.length > 0 ? 1 : 0
  },
})
