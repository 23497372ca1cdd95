import { CHECKED_ENGINES, type CheckedEngine, type EngineCheck } from '../../../contract/engine-check.ts'
import { didYouMean } from '../../../kit/suggest.ts'
import { command } from '../../command.ts'
import { engineCheckReport } from '../../engine-check-report.ts'
import { engineCredential } from '../../engine-credential.ts'
import { UsageError } from '../../failure.ts'
import { flag, text, wholeNumber } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { listenForStop } from '../../stop.ts'

/** The length of the vectors of the built-in embeddings. */
const DIMENSIONS = 256

export const checkEngineCommand = command({
  summary: 'Tries all that a flow asks of an engine, with a collection of its own that it removes',
  args: ['<address>'],
  about:
    `Engines: ${CHECKED_ENGINES.join(', ')}. The exit code is 1 when something does not work that an upsert needs.\n` +
    'It makes a collection that begins with "sluice-check-", writes, searches, filters and deletes in it, and removes it,\n' +
    'also when a step fails or at Ctrl-C. It needs no server and no data directory. Outgoing calls follow the settings\n' +
    'EGRESS_ALLOW, EGRESS_DENY and HOST, as those of a server with these settings would.\n' +
    'The key is never an argument, which other users of the machine can see. On a terminal it asks for the fields of the\n' +
    'credential. Otherwise SLUICE_ENGINE_CREDENTIAL has them: a JSON object, or FIELD=value lines. The address may be several\n' +
    'of one cluster, with commas between them; that of pgvector is postgres://HOST:PORT/DATABASE, with ?sslmode=require for TLS.',
  options: {
    kind: text('engine', `what the engine is: ${CHECKED_ENGINES.join(', ')}`),
    credential: text('kind', 'the kind of the credential, where the engine takes several: openSearchAws'),
    prefix: text(
      'name',
      'what the name of the collection begins with, for a credential that is limited to such names',
    ),
    dimensions: wholeNumber(
      `the length of the vectors, ${DIMENSIONS} unless given; that of the index for Pinecone`,
    ),
    json: flag('prints the check as JSON'),
  },
  settings: ['EGRESS_ALLOW', 'EGRESS_DENY', 'HOST'],
  examples: [
    'https://search-1:9200,https://search-2:9200 --kind opensearch',
    'http://localhost:6333 --kind qdrant --json',
  ],
  async run({ world, config, args, options }) {
    const address = plainAddress(args[0]!)
    const kind = engineKind(options.kind)
    const { dimensions = DIMENSIONS } = options
    if (dimensions < 2 || dimensions > 16_000) throw new UsageError('--dimensions: 2 to 16000')
    const credential = await engineCredential(world, kind, options.credential)
    using stop = listenForStop(world.process)
    const request = { kind, address, credential, prefix: options.prefix, dimensions }
    const check = await world.offline.checkEngine(config, request, stop.signal)
    world.stdout.write(
      options.json
        ? `${JSON.stringify(check, null, 2)}\n`
        : engineCheckReport(check, paintFor(world.stdout, world.environment)),
    )
    return stop.signal.aborted ? 130 : exitCode(check)
  },
})

const exitCode = ({ ok }: EngineCheck): number => (ok ? 0 : 1)

function engineKind(given: string | undefined): CheckedEngine {
  if (given === undefined) throw new UsageError(`--kind is missing: ${CHECKED_ENGINES.join(', ')}`)
  const found = CHECKED_ENGINES.find((kind) => kind === given)
  if (found) return found
  throw new UsageError(
    `--kind: there is no engine ${JSON.stringify(given)}`,
    didYouMean(given, CHECKED_ENGINES, `engines are ${CHECKED_ENGINES.join(', ')}`),
  )
}

/** @throws UsageError for one with a password, which it does not repeat */
function plainAddress(given: string): string {
  if (given.includes('@'))
    throw new UsageError(
      'an address with a name or password is not taken from arguments, which other users can see: use SLUICE_ENGINE_CREDENTIAL',
    )
  return given
}
