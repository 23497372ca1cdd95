import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { CheckedFlowAnswer, ReportRowAnswer } from '../../../api/flow-report.ts'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../../kit/json.ts'
import { Failure, ServerRefusal } from '../../failure.ts'
import { type Client, jsonBody } from '../../http.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printRows } from '../../print-rows.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { printReportRows, whyNot } from '../../report-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

/** A flow of a file; one without a flow has the reason in its only row. */
type Checked = CheckedFlowAnswer & { file: string }

/** What an answer to a check has for the command. */
type Report = { flows: CheckedFlowAnswer[]; others: ReportRowAnswer[] }

export const checkCommand = serverCommand({
  summary:
    'Checks a flow, an export, or all exports of a folder: which flows run here, and what keeps the others',
  args: ['<folder>'],
  about:
    'A folder: a table of all .json files in it and below, with a row for each flow. A file: its whole report. Anything else is a\n' +
    'flow of the server, by id or slug. Nothing is stored, and nothing is called. "after" means: it runs once what is named has been\n' +
    'supplied or set. The exit code is 1 when a flow cannot run on this server.',
  options: { json: flag('prints the reports as JSON') },
  examples: ['my-exports', '"My Chatflow.json"', 'handbook'],
  async run({ world, client, args, options: { json } }) {
    const given = args[0]!
    const place = path.resolve(world.directory, given)
    const kind = await kindOf(place)
    if (kind === 'folder') {
      const rows: Checked[] = []
      for (const file of await jsonFiles(place)) rows.push(...(await checkFile(client, place, file)))
      printRows(rows, COLUMNS, { world, json, none: `There is no .json file in ${given}.` })
      if (!json && rows.length > 0) world.stderr.write(`${totalsOf(rows)}\n`)
      return rows.some(({ runs }) => runs === 'no') ? 1 : 0
    }
    const report = await ask(
      client,
      kind === 'file' ? { exported: await readExported(place, given) } : { flow: given },
    )
    if (json) world.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else {
      const write = (text: string) => void world.stdout.write(text)
      const paint = paintFor(world.stdout, world.environment)
      for (const [index, flow] of report.flows.entries()) {
        if (index > 0) write('\n')
        write(
          `${printable(flow.name ?? path.basename(given, '.json'))}: ${nodesText(flow)}, ${RUNS[flow.runs]}\n`,
        )
        printReportRows(flow.rows, write, paint)
      }
      if (report.others.length > 0) write(`\n${paint('bold', 'Beside the flows')}\n`)
      printReportRows(report.others, write, paint)
    }
    return report.flows.some(({ runs }) => runs === 'no') ? 1 : 0
  },
})

const RUNS = {
  yes: 'it runs',
  after: 'it runs after what is needed has been supplied',
  no: 'it cannot run on this server',
}

const nodesText = ({ nodes }: CheckedFlowAnswer) => `${nodes} node${nodes === 1 ? '' : 's'}`

const COLUMNS: Column<Checked>[] = [
  {
    title: 'file',
    value: ({ file, name }) => (name === null ? file : `${file} › ${name}`),
    style: () => 'bold',
  },
  { title: 'nodes', value: ({ nodes }) => nodes, right: true },
  { title: 'runs', value: ({ runs }) => runs, style: ({ runs }) => STYLES[runs] },
  { title: 'why not', value: ({ rows }) => whyNot(rows) },
]

const STYLES = { yes: undefined, after: 'yellow', no: 'red' } as const

function totalsOf(rows: readonly Checked[]): string {
  const count = (runs: Checked['runs']) => rows.filter((row) => row.runs === runs).length
  return `${rows.length} flows: ${count('yes')} run, ${count('after')} after something is supplied, ${count('no')} do not`
}

async function kindOf(place: string): Promise<'folder' | 'file' | 'flow'> {
  const found = await stat(place).catch(() => undefined)
  return found === undefined ? 'flow' : found.isDirectory() ? 'folder' : 'file'
}

const jsonFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.json') && !name.split(path.sep).includes('node_modules'))
    .toSorted()

class UnreadableFile extends Failure {}

/** Refusals of what is in a file: it is no flow, or too large. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422])

/** A file that is no export of a flow is a row that says so. */
async function checkFile(client: Client, folder: string, file: string): Promise<Checked[]> {
  try {
    const exported = await readExported(path.join(folder, file), file)
    const { flows, others } = await ask(client, { exported })
    const lost = others.filter(({ severity }) => severity === 'unsupported')
    return [
      ...flows.map((flow) => ({ ...flow, file })),
      ...lost.map((row) => ({ file, name: row.node, nodes: 0, runs: 'no' as const, rows: [row] })),
    ]
  } catch (error) {
    const ofFile =
      error instanceof UnreadableFile || (error instanceof ServerRefusal && REFUSED.has(error.status))
    if (!ofFile) throw error
    const what = error.message
    const row = {
      nodeId: null,
      node: null,
      input: null,
      severity: 'unsupported' as const,
      what,
      instead: null,
    }
    return [{ file, name: null, nodes: 0, runs: 'no', rows: [row] }]
  }
}

async function readExported(file: string, given: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UnreadableFile(`Cannot read ${given}: ${reasonOf(error)}`)
  })
  const exported = parseJson(text)
  if (!isObject(exported))
    throw new UnreadableFile(`${given} is not an export of a flow: it is not a JSON object`)
  return exported as JsonObject
}

const ask = (client: Client, body: JsonObject): Promise<Report> =>
  readAnswer(
    client.send('POST', 'flows/validate', jsonBody(body)),
    async () => (await import('../../../api/flow-problem.ts')).flowProblems,
    'a check of a flow',
  )
