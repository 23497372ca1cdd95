import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { evaluationPage } from '../../evaluate/page.ts'
import type { Evaluation } from '../../evaluate/run.ts'
import { reasonOf } from '../../kit/errors.ts'
import { command } from '../command.ts'
import { evaluationReport } from '../evaluation-report.ts'
import { Failure } from '../failure.ts'
import { fetchFlow } from '../flow-answer.ts'
import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { SERVER_OPTIONS, serverOf } from '../server-options.ts'
import { showSteps } from '../steps.ts'
import { listenForStop } from '../stop.ts'
import type { World } from '../world.ts'

export const evaluateCommand = command({
  summary: 'Measures how well a flow finds the right documents',
  args: ['<flow>', '[collection]'],
  about:
    'Without a collection the server asks the flow its own questions (sluice question) in its live index, as its users meet it, and\n' +
    'keeps the result of each with the revision of the flow. The exit code is then 1 when a question fails that passed before.\n' +
    'A collection is a folder with corpus.jsonl (lines of {"_id", "title", "text"}), queries.jsonl (lines of {"_id", "text"},\n' +
    'in a conversation with "history": its earlier questions) and qrels.tsv (query, document and grade, separated by tabs). It is loaded with the splitter, embeddings and store of the\n' +
    'flow into a temporary data directory. Without --url the flow is read from DATA_DIR,\n' +
    'or from the database of DATABASE_URL, whether a server runs or not.',
  options: {
    ...SERVER_OPTIONS,
    url: text(
      'address',
      'the address of the server that has the flow; the flow is read from DATA_DIR, or from DATABASE_URL, unless given',
    ),
    page: text(
      'file',
      'the HTML file to write; eval-<flow>-<collection>.html unless given, none with --json',
    ),
    json: flag('prints the figures as JSON'),
  },
  settings: ['DATA_DIR'],
  examples: ['quickstart', 'quickstart my-questions/', 'quickstart my-questions/ --json'],
  async run({ world, config, args, options }) {
    const [flow, folder] = args as [string, string | undefined]
    if (folder === undefined) {
      const { askOwnQuestions } = await import('../own-questions.ts')
      return askOwnQuestions(world, serverOf(options, config, world), { flow, json: options.json })
    }
    const { stdout, stderr, environment, directory } = world
    using stop = listenForStop(world.process)
    using steps = showSteps(world, paintFor(stderr, environment))
    let evaluation: Evaluation
    try {
      evaluation = await world.evaluateFlow(config, {
        flow: options.url === undefined ? flow : await remoteFlow(flow),
        collection: path.resolve(directory, folder),
        signal: stop.signal,
        onProgress: ({ stage, done, total }) => steps.show(STAGES[stage], done, total),
      })
    } catch (error) {
      if (stop.signal.aborted) return 130
      throw error
    } finally {
      steps.end()
    }
    const paint = paintFor(stdout, environment)
    stdout.write(options.json ? `${JSON.stringify(evaluation)}\n` : evaluationReport(evaluation, paint))
    const name = `eval-${flow}-${evaluation.collection}.html`.replace(/[^\w.-]+/g, '-')
    const page = options.page ?? (options.json ? undefined : name)
    if (page !== undefined) await writePage(page, evaluationPage(flow, evaluation), world)
    return 0

    async function remoteFlow(name: string) {
      const { id, flowData } = await fetchFlow(serverOf(options, config, world), name)
      return { id, flowData, apiConfig: undefined }
    }
  },
})

const STAGES = { load: 'Loading', ask: 'Asking', time: 'Timing' } as const

async function writePage(file: string, content: string, { directory, stderr }: World): Promise<void> {
  try {
    await writeFile(path.resolve(directory, file), content)
  } catch (error) {
    throw new Failure(`The page ${file} cannot be written: ${reasonOf(error)}`)
  }
  stderr.write(`The page with the plot is ${file}\n`)
}
