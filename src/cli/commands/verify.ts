import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Verification } from '../../contract/data-directory.ts'
import type { VerificationOptions } from '../../contract/engine-comparison.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import { directAddress } from '../../kit/direct-address.ts'
import { command } from '../command.ts'
import { engineReport, isSound, leftReport } from '../engine-report.ts'
import { mustExist } from '../key-ring.ts'
import { showComparison } from '../comparison-progress.ts'
import { flag } from '../options.ts'
import { type Paint, paintFor } from '../paint.ts'
import { table } from '../table.ts'

export const verify = command({
  summary: 'Checks the database for damage, and separate vector engines against it',
  args: ['[flow]'],
  about:
    'It only reads, and a server may run meanwhile. It counts the chunks that no query finds. The exit code is 1 when it finds damaged pages, contents that differ from\n' +
    'their checksums, a lost log, references to rows that do not exist, wrong counts of chunks, passages that have no vector or\n' +
    'are missing in the text index, or uploads that belong to no job; also when it cannot read the schema, which is that of another\n' +
    'version: a start brings an earlier one up to date. With DATABASE_URL it checks that database, and the replica\n' +
    'of it in DATA_DIR.\n' +
    'Stores in other engines (Postgres, Qdrant, OpenSearch, Elasticsearch, Pinecone, Chroma) are compared with the database: the\n' +
    'exit code is 1 when points are missing or too many, have another text or other metadata,\n' +
    'or a damaged vector, or when nothing can delete the points of removed flows. With a flow, only its\n' +
    'engine is compared. An upsert that runs meanwhile may show as a difference.\n' +
    'A running server compares and repairs the engine of a flow by itself: sluice repair FLOW [--dry-run], or\n' +
    'POST /api/v1/vector/repair/FLOW.',
  options: {
    json: flag('prints the checks as JSON'),
    repair: flag(
      'while no server runs: writes and removes points of engines where they differ, and deletes the replica in DATA_DIR, which is copied again',
    ),
  },
  settings: ['DATA_DIR'],
  examples: ['', '--json --data-dir /var/lib/sluice', 'handbook --repair'],
  async run({ world, config, args, options }) {
    const [flow] = args
    const { DATA_DIR, DATABASE_URL } = config
    const { stdout, stderr, environment } = world
    if (!existsSync(path.join(DATA_DIR, DATA_FILES.marker))) mustExist(config)
    if (options.repair && DATABASE_URL !== undefined && flow === undefined)
      await world.offline.dropReplica(DATA_DIR)
    const checks = flow === undefined ? await world.offline.verify(DATA_DIR, directAddress(config)) : []
    // What could not be read is not known to be sound.
    const isDatabaseSound = checks.every(({ findings, unread }) => findings.length === 0 && !unread)
    // In a damaged database the engines are compared, too, as far as it can be read.
    const shown = showComparison(world)
    const progress: VerificationOptions['progress'] = (flows, done) => shown.at(flows.join(', '), done)
    const found = await world.offline
      .verifyEngines(config, { flow, repair: options.repair, progress })
      .finally(() => shown.end())
      .catch((error: unknown) => {
        if (isDatabaseSound) throw error
        return undefined
      })
    const { engines, left = [] } = found ?? {}
    const ok =
      isDatabaseSound && engines?.every(isSound) === true && left.every(({ lost }) => lost === undefined)
    if (options.json) {
      stdout.write(`${JSON.stringify({ ok, checks, engines: engines ?? [], left }, null, 2)}\n`)
      return ok ? 0 : 1
    }
    const paint = paintFor(stdout, environment)
    if (checks.length > 0) stdout.write(checkReport(checks, paint))
    if (engines === undefined) stderr.write('The engines were not compared: the database cannot be read\n')
    else if (engines.length > 0)
      stdout.write(`${checks.length > 0 ? '\n' : ''}${engineReport(engines, paint)}`)
    else if (flow !== undefined)
      stdout.write(
        `The documents of ${flow} are in the built-in store, which sluice verify without a flow checks\n`,
      )
    stdout.write(leftReport(left))
    return ok ? 0 : 1
  },
})

const checkReport = (checks: readonly Verification[], paint: Paint): string =>
  table(
    checks.flatMap(({ check, looked, findings, note, skipped, unread }) =>
      (findings.length > 0 ? findings : [skipped ?? note ?? 'ok']).map((found) => ({
        check,
        looked,
        found,
        bad: findings.length > 0 || unread === true,
      })),
    ),
    [
      { title: 'check', value: (row) => row.check, style: () => 'bold' },
      { title: 'looked at', value: (row) => row.looked, right: true },
      { title: 'found', value: (row) => row.found, style: (row) => (row.bad ? 'red' : 'dim') },
    ],
    paint,
  )
