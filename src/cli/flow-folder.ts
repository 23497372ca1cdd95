import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { Failure, UsageError } from './failure.ts'
import type { World } from './world.ts'

/** What is known of a flow since it was last pulled or pushed: its revision, and SHA-256 of its text. */
export type PulledFlow = { revision: number; text: string }

/** The file beside the texts. It may be committed with them: it has no address and no secret. */
const STATE = '.sluice-flows.json'
const ENDING = /\.ya?ml$/
const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/

/** The text of a flow in a folder. `file`: its name in the folder. */
export type FlowFile = { slug: string; file: string; text: string }

/** A folder with a file for each flow, `SLUG.yaml`. */
export type FlowFolder = {
  files: FlowFile[]
  pulled: ReadonlyMap<string, PulledFlow>
  /** Writes the text of a flow: all of it or nothing. @returns the name of the file */
  write(slug: string, text: string): Promise<string>
  /** Notes what the server has of a flow now. */
  note(slug: string, flow: { revision: number; text: string }): Promise<void>
}

/**
 * Opens a folder of flows.
 *
 * @param wanted the slugs of the flows that are asked for; none for all
 * @param mayBeMissing whether a folder that is not there is an empty one
 * @throws Failure, UsageError
 */
export async function openFlowFolder(
  { directory }: Pick<World, 'directory'>,
  given: string,
  wanted: readonly string[],
  mayBeMissing = false,
): Promise<FlowFolder> {
  const folder = path.resolve(directory, given)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT' && mayBeMissing) return []
    if (error.code === 'ENOENT') throw new Failure(`There is no folder ${given}`)
    throw new Failure(`Cannot read ${given}: ${reasonOf(error)}`)
  })
  const files: FlowFile[] = []
  for (const file of names.filter((name) => ENDING.test(name)).toSorted()) {
    const slug = file.replace(ENDING, '')
    if (wanted.length > 0 && !wanted.includes(slug)) continue
    if (!SLUG.test(slug))
      throw new Failure(
        `${path.join(given, file)} is not named after a flow`,
        'the name of a file is the slug of its flow: lower-case letters, digits and hyphens, then .yaml',
      )
    if (files.some((one) => one.slug === slug))
      throw new Failure(`${given} has two files of the flow ${slug}: ${slug}.yaml and ${slug}.yml`)
    files.push({ slug, file, text: await read(path.join(folder, file)) })
  }
  const pulled = new Map(readState(names.includes(STATE) ? await read(path.join(folder, STATE)) : undefined))
  return {
    files,
    pulled,
    async write(slug, text) {
      const file = files.find((one) => one.slug === slug)?.file ?? `${slug}.yaml`
      await replace(folder, file, text)
      return file
    },
    async note(slug, { revision, text }) {
      pulled.set(slug, { revision, text: sha256(text) })
      const flows = Object.fromEntries([...pulled].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await replace(folder, STATE, `${JSON.stringify({ version: 1, flows }, null, 2)}\n`)
    },
  }
}

/** The files of a folder that were asked for by their flows. @throws UsageError where one is not there */
export function wantedFiles({ files }: FlowFolder, wanted: readonly string[], folder: string): FlowFile[] {
  const missing = wanted.find((slug) => !files.some((one) => one.slug === slug))
  if (missing !== undefined) throw new UsageError(`There is no ${missing}.yaml in ${folder}`)
  if (files.length === 0)
    throw new Failure(
      `There is no .yaml file in ${folder}`,
      `sluice flow pull ${folder} writes one for each flow`,
    )
  return files
}

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`Cannot read ${file}: ${reasonOf(error)}`)
  })

async function replace(folder: string, file: string, text: string): Promise<void> {
  const beside = path.join(folder, `.${file}.${process.pid}.tmp`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(beside, text)
    await rename(beside, path.join(folder, file))
  } catch (error) {
    throw new Failure(`Cannot write ${path.join(folder, file)}: ${reasonOf(error)}`)
  }
}

/** @throws Failure where the file is damaged */
function readState(text: string | undefined): [string, PulledFlow][] {
  if (text === undefined) return []
  const value = parseJson(text)
  if (!isObject(value) || !isObject(value.flows))
    throw new Failure(`${STATE} is damaged`, 'remove it and pull the flows again')
  return Object.entries(value.flows).flatMap(([slug, one]) =>
    isObject(one) && typeof one.revision === 'number' && typeof one.text === 'string'
      ? [[slug, { revision: one.revision, text: one.text }]]
      : [],
  )
}
