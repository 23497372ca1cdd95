import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, isLoopback } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomToken } from '../../kit/hash.ts'
import { createLog, type Log } from '../../kit/log.ts'
import { invocation } from '../announce.ts'
import { chunkReport } from '../chunk-report.ts'
import { command } from '../command.ts'
import { runAgentDemo } from '../demo/agent-demo.ts'
import { Failure } from '../failure.ts'
import { findChunks } from '../find-chunks.ts'
import { type Client, connectTo } from '../http.ts'
import { ALL_SETTINGS, flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { sendFiles } from '../send-files.ts'
import { listenForStop } from '../stop.ts'
import { gatherFiles } from '../upload-file.ts'
import { throwOnFailedFiles, upsertReport } from '../upsert-report.ts'
import type { Service, StartedPlatform, World } from '../world.ts'

const FLOW = 'quickstart'
const DEFAULT_MODEL = 'gpt-4o-mini'

/** A row of `examples/questions.json`: `answer` is part of the text of `file`, word for word. */
type Question = { question: string; file: string; answer: string; demo?: boolean }

export const demo = command({
  summary: 'Starts a server and the event service, loads sample documents, queries them, and runs an agent',
  about:
    'It uses a temporary directory, which it removes at the end, unless --data-dir is given. It uses other ports where the\n' +
    'usual ones are in use.',
  options: {
    once: flag('ends when all steps are done, with exit code 0 when all succeeded'),
    model: text('name', 'the model of the agent, when OPENAI_API_KEY or OPENAI_BASE_URL is set'),
  },
  settings: ALL_SETTINGS,
  examples: ['', '--once'],
  async run({ world, config, options }) {
    const quiet = config.origins.LOG_LEVEL === 'default'
    const log = createLog(quiet ? 'warn' : config.LOG_LEVEL, world.stderr)
    using stop = listenForStop(world.process)
    await using ending = new AsyncDisposableStack()
    const settings = {
      ...config,
      DATA_DIR: await dataDirectory(config, ending),
      // A bucket belongs to one database, and not to a temporary one.
      BLOB_URL: config.origins.DATA_DIR === 'flag' ? config.BLOB_URL : undefined,
      // Needed to store the flow of the agent over HTTP.
      ADMIN_KEY: config.ADMIN_KEY ?? randomToken(),
    }

    const events = await onFreePort(world.startEvents, { ...settings, PORT: undefined }, log)
    ending.defer(() => events.close())
    // The tools of the agent may call the event service, and nothing else of this machine.
    const EGRESS_ALLOW = [...config.EGRESS_ALLOW, new URL(events.url).host]
    const platform = await onFreePort(world.startPlatform, { ...settings, EGRESS_ALLOW }, log)
    ending.defer(() => platform.close())

    const questions = await demoQuestions(world)
    const client = connectTo(new URL(platform.url), { key: settings.ADMIN_KEY, signal: stop.signal })
    try {
      await loadSamples(client, config, world)
      await askQuestions(client, questions, world)
      const { model = DEFAULT_MODEL } = options
      await runAgentDemo({ client, events: events.url, config: settings, model, world, ending })
    } catch (error) {
      if (stop.signal.aborted) return 130
      throw error
    }
    world.stdout.write(nextSteps(platform, events, questions, world))
    if (options.once) return 0
    world.stdout.write(await studioLink(platform, settings, world))
    world.stderr.write('\nPress Ctrl-C to stop.\n')
    await stop.asked
    return 0
  },
})

async function dataDirectory(config: Config, ending: AsyncDisposableStack): Promise<string> {
  if (config.origins.DATA_DIR === 'flag') return config.DATA_DIR
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-demo-'))
  ending.defer(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Starts a service on its usual port, or on a free one where that is in use. A port that was given is not replaced. */
async function onFreePort<S extends Service>(
  start: (config: Config, log: Log) => Promise<S>,
  config: Config,
  log: Log,
): Promise<S> {
  try {
    return await start(config, log)
  } catch (error) {
    if (config.PORT === undefined && error instanceof SluiceError && error.code === 'port_taken')
      return await start({ ...config, PORT: 0 }, log)
    throw error
  }
}

const examples = (name: string, { packageRoot }: World): string =>
  fileURLToPath(new URL(`examples/${name}`, packageRoot))

async function loadSamples(client: Client, config: Config, world: World): Promise<void> {
  const { directory, stdin, stdout, environment } = world
  const files = await gatherFiles([examples('documents', world)], { directory, stdin })
  const answer = await sendFiles(client, { flow: FLOW, files, fields: [], maxFiles: config.MAX_FILES }, world)
  stdout.write(`${upsertReport(answer, paintFor(stdout, environment))}\n`)
  throwOnFailedFiles(answer)
}

async function askQuestions(client: Client, questions: Question[], world: World): Promise<void> {
  const { stdout, environment } = world
  const paint = paintFor(stdout, environment)
  for (const { question, answer } of questions) {
    const { docs } = await findChunks(client, FLOW, { query: question, topK: 2 })
    stdout.write(
      `${paint(['bold', 'cyan'], question)}\n${chunkReport(docs, stdout, paint, { phrase: answer })}\n`,
    )
    if (docs.length === 0) throw new Failure(`No chunk was found for "${question}"`)
  }
}

async function demoQuestions(world: World): Promise<Question[]> {
  const all = JSON.parse(await readFile(examples('questions.json', world), 'utf8')) as Question[]
  return all.filter(({ demo }) => demo)
}

/** The addresses of the services, and two commands to copy. */
function nextSteps(platform: Service, events: Service, questions: Question[], world: World): string {
  const bold = (text: string) => paintFor(world.stdout, world.environment)('bold', text)
  const [first] = questions
  const sample = path.relative(world.directory, examples(`documents/${first?.file ?? ''}`, world))
  const api = `${platform.url}/api/v1/vector`
  return [
    `${bold('Platform')}       ${platform.url}  (API: ${platform.url}/docs)`,
    `${bold('Event service')}  ${events.url}`,
    '',
    bold('Load a file and query it:'),
    `curl -F ${quoted(`files=@${sample}`)} ${api}/upsert/${FLOW}`,
    `curl -G --data-urlencode ${quoted(`q=${first?.question ?? ''}`)} ${api}/query/${FLOW}`,
    '',
  ].join('\n')
}

/** How to open the studio, and where its data is. */
async function studioLink(platform: StartedPlatform, config: Config, world: World): Promise<string> {
  const paint = paintFor(world.stdout, world.environment)
  const { DATA_DIR, HOST, origins } = config
  const another = `${invocation(world)} sign-in --data-dir ${quotedWhere(DATA_DIR)}`
  // On a network others could use a code that stands in a log.
  const link = isLoopback(HOST)
    ? `${platform.url}/#sign-in=${await platform.newSignInCode()}\n(works once, for five minutes; for another: ${another})`
    : another
  return [
    '',
    paint('bold', 'Open the studio:'),
    link,
    '',
    `${paint('bold', 'Data')}  ${DATA_DIR}${origins.DATA_DIR === 'flag' ? '' : ' (removed at the end)'}`,
    '',
  ].join('\n')
}

/** A path as one word for a POSIX shell, quoted where it has to be. */
const quotedWhere = (path: string): string => (/^[\w./-]+$/.test(path) ? path : quoted(path))

/** Quotes a text as one word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
