import { NO_KEY_YET } from '../../../contract/flow-store.ts'
import { sha256 } from '../../../kit/hash.ts'
import type { JsonObject } from '../../../kit/json.ts'
import type { SavedFlowText } from '../../../api/flow-text.ts'
import { ServerRefusal } from '../../failure.ts'
import { printWarning, readSavedFlow } from '../../flow-answer.ts'
import { type FlowFolder, openFlowFolder, wantedFiles } from '../../flow-folder.ts'
import {
  type ComparedFile,
  compareFile,
  comparedJson,
  fetchText,
  problemLines,
  textPath,
} from '../../flow-texts.ts'
import { type Client, jsonBody } from '../../http.ts'
import { comparisonLines } from '../../load-comparison.ts'
import { flag } from '../../options.ts'
import { type Paint, paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import type { World } from '../../world.ts'

/** What became of a file. `refused`: the server has something else than was pulled. */
type Outcome = {
  outcome: 'pushed' | 'created' | 'same' | 'refused' | 'planned'
  reason?: string
  revision: number | null
}

export const pushCommand = serverCommand({
  summary: 'Changes flows of the server to what the files of a folder say',
  args: ['<folder>', '[flow]…'],
  about:
    'All files are read before the first flow is changed: with a mistake in one, nothing is. A flow changes as a whole or not at all.\n' +
    'A push is refused where the server has a newer revision than the one that was pulled; --force pushes all the same. Values that\n' +
    'a text only names (!secret, !stored) stay as the server has them. A flow that is not there is made, closed to all but managers.\n' +
    'The exit code is 1 where a push was refused.',
  options: {
    dryRun: flag('changes nothing: shows the changes, and which documents would have to be loaded again'),
    force: flag('pushes also where the server has a newer revision than the one that was pulled'),
    json: flag('prints a row for each file as JSON'),
  },
  examples: ['flows --dry-run', 'flows handbook'],
  async run({ world, client, args, options: { dryRun, force, json } }) {
    const [given, ...named] = args as [string, ...string[]]
    const folder = await openFlowFolder(world, given, named)
    const compared: ComparedFile[] = []
    for (const file of wantedFiles(folder, named, given)) compared.push(await compareFile(client, file, true))
    const invalid = compared.filter(({ state }) => state === 'invalid')
    for (const { file, read } of invalid)
      for (const line of problemLines(file, read, 'error')) world.stderr.write(`${line}\n`)
    if (invalid.length > 0) {
      if (json) world.stdout.write(`${JSON.stringify(compared.map(comparedJson))}\n`)
      world.stderr.write('Nothing was pushed.\n')
      return 1
    }
    const rows: (ReturnType<typeof comparedJson> & Outcome)[] = []
    for (const one of compared) {
      const outcome = await pushOne(client, folder, one, { dryRun, force, world })
      rows.push({ ...comparedJson(one), index: one.read.index, ...outcome } as (typeof rows)[number])
      if (!json) print(one, outcome, world)
    }
    if (json) world.stdout.write(`${JSON.stringify(rows)}\n`)
    return rows.some(({ outcome }) => outcome === 'refused') ? 1 : 0
  },
})

async function pushOne(
  client: Client,
  folder: FlowFolder,
  { flow, file, state, stored, read }: ComparedFile,
  { dryRun, force, world }: { dryRun: boolean; force: boolean; world: World },
): Promise<Outcome> {
  const revision = stored?.revision ?? null
  if (state === 'same') {
    if (!dryRun) await folder.note(flow, stored!)
    return { outcome: 'same', revision }
  }
  const pulled = folder.pulled.get(flow)
  if (stored && !force && (!pulled || pulled.text !== sha256(stored.text)))
    return { outcome: 'refused', revision, reason: refusalOf(flow, pulled?.revision, stored.revision) }
  if (dryRun) return { outcome: 'planned', revision }
  try {
    const text = folder.files.find((one) => one.file === file)!.text
    const saved = stored
      ? await readAnswer(
          client.send('PUT', textPath(stored.id), jsonBody({ text }), { 'if-match': `"${stored.revision}"` }),
          async () => (await import('../../../api/flow-text.ts')).savedFlowText,
          'a saved flow',
        )
      : await readSavedFlow(
          client.send('POST', 'chatflows', jsonBody(newFlowOf(flow, read.flow as JsonObject))),
        )
    printWarning(saved, world)
    tellMissing(file, (saved as Partial<SavedFlowText>).missing ?? read.missing, world)
    const now = await fetchText(client, saved.id)
    if (now) await folder.note(flow, now)
    return { outcome: stored ? 'pushed' : 'created', revision: saved.revision }
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.status !== 412) throw error
    return { outcome: 'refused', revision, reason: error.message }
  }
}

const refusalOf = (flow: string, pulled: number | undefined, now: number): string =>
  pulled === undefined
    ? `${flow} was not pulled into this folder, and the server has revision ${now} of it: pull it first, or give --force`
    : `the server has revision ${now} of ${flow}, and the file is of revision ${pulled}: see sluice flow diff, then pull, or push with --force`

/** A text does not say who may call a flow: a new one is closed. */
const newFlowOf = (slug: string, flow: JsonObject): JsonObject => ({
  ...flow,
  name: flow.name ?? slug,
  slug,
  apikeyid: NO_KEY_YET,
})

function tellMissing(file: string, missing: SavedFlowText['missing'], { stderr }: World): void {
  for (const { nodeId, input } of missing)
    stderr.write(
      `${printable(file)}: the server does not have the value of ${printable(nodeId === null ? input : `${nodeId}.${input}`)}; enter it in the studio or with sluice flow set\n`,
    )
}

const SAID = {
  pushed: 'pushed',
  created: 'created',
  same: 'same',
  refused: 'refused',
  planned: 'would change',
}

function print(
  { file, flow, state, read }: ComparedFile,
  { outcome, reason, revision }: Outcome,
  world: World,
): void {
  const paint = paintFor(world.stdout, world.environment)
  const write = (line: string) => void world.stdout.write(`${line}\n`)
  const said = outcome === 'planned' && state === 'new' ? 'would be made' : SAID[outcome]
  write(`${paint('bold', printable(file))}  ${said}${revision === null ? '' : `, revision ${revision}`}`)
  if (reason !== undefined) world.stderr.write(`${printable(reason)}\n`)
  if (outcome === 'same') return
  for (const { kind, text } of read.changes) write(`  ${SIGNS[kind]} ${printable(text)}`)
  if (state === 'new' && outcome === 'created')
    world.stderr.write(
      `${flow} is closed to all but managers: sluice flow set ${flow} key=NAME|none opens it\n`,
    )
  for (const line of problemLines(file, read, 'warning')) world.stderr.write(`${line}\n`)
  if (outcome === 'planned') tellMissing(file, read.missing, world)
  writeEffects(read.index, flow, paint, world)
}

const SIGNS = { added: '+', removed: '-', changed: '~', moved: '→' }

function writeEffects(
  index: ComparedFile['read']['index'],
  flow: string,
  paint: Paint,
  { stdout }: World,
): void {
  if (!index) return
  const lines = comparisonLines(index, flow, paint)
  stdout.write(lines === '' ? '  No document has to be loaded again.\n' : lines.replace(/^(?=.)/gm, '  '))
}
