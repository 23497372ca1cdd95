import { sha256 } from '../../../kit/hash.ts'
import type { FlowTextAnswer } from '../../../api/flow-text.ts'
import { Failure } from '../../failure.ts'
import { fetchFlows } from '../../flow-answer.ts'
import { type FlowFolder, openFlowFolder } from '../../flow-folder.ts'
import { fetchText, sendText } from '../../flow-texts.ts'
import type { Client } from '../../http.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

type Pulled = { flow: string; file: string; revision: number; state: 'written' | 'unchanged' | 'kept' }

export const pullCommand = serverCommand({
  summary: 'Writes flows as YAML into a folder, a file for each',
  args: ['<folder>', '[flow]…'],
  about:
    'Without names all flows of the server. A file is named after the slug of its flow. It never holds a secret or the content of a\n' +
    'file. A file that says the same as the server stays as it is, with its comments. A file with changes that were not pushed is\n' +
    'kept, and the exit code is 1; --force overwrites it. .sluice-flows.json in the folder notes the revisions.',
  options: {
    force: flag('overwrites files with changes that were not pushed'),
    json: flag('prints a row for each flow as JSON'),
  },
  examples: ['flows', 'flows handbook support'],
  async run({ world, client, args, options: { force, json } }) {
    const [given, ...named] = args as [string, ...string[]]
    const flows = named.length > 0 ? named : (await fetchFlows(client)).map(({ slug }) => slug).toSorted()
    const texts: FlowTextAnswer[] = []
    for (const flow of flows) {
      const stored = await fetchText(client, flow)
      if (!stored) throw new Failure(`There is no flow ${flow}`, 'sluice flow list shows the flows')
      texts.push(stored)
    }
    const folder = await openFlowFolder(world, given, [], true)
    const rows: Pulled[] = []
    for (const stored of texts) rows.push(await pullOne(client, folder, stored, force))
    if (json) world.stdout.write(`${JSON.stringify(rows)}\n`)
    else
      for (const { file, revision, state } of rows)
        world.stdout.write(`${SAID[state].padEnd(9)}  ${file}  revision ${revision}\n`)
    for (const { file, state } of rows)
      if (state === 'kept')
        world.stderr.write(
          `${file} has changes that were not pushed, and the server has others: see sluice flow diff, then push or pull with --force\n`,
        )
    const slugs = new Set((named.length > 0 ? await fetchFlows(client) : texts).map(({ slug }) => slug))
    for (const { slug, file } of folder.files)
      if (!slugs.has(slug)) world.stderr.write(`${printable(file)}: the server has no flow ${slug}\n`)
    return rows.some(({ state }) => state === 'kept') ? 1 : 0
  },
})

const SAID = { written: 'written', unchanged: 'unchanged', kept: 'kept' }

async function pullOne(
  client: Client,
  folder: FlowFolder,
  { id, slug, revision, text }: FlowTextAnswer,
  force: boolean,
): Promise<Pulled> {
  const local = folder.files.find((one) => one.slug === slug)
  const before = folder.pulled.get(slug)
  const done = async (file: string, state: Pulled['state']): Promise<Pulled> => {
    if (state !== 'kept') await folder.note(slug, { revision, text })
    return { flow: slug, file, revision, state }
  }
  if (!local) return done(await folder.write(slug, text), 'written')
  if (local.text === text) return done(local.file, 'unchanged')
  const read = await sendText(client, { text: local.text, flow: id })
  if (read.text === text) return done(local.file, 'unchanged')
  const untouched =
    before && [local.text, read.text].some((one) => one !== null && sha256(one) === before.text)
  if (!untouched && !force) return done(local.file, 'kept')
  return done(await folder.write(slug, text), 'written')
}
