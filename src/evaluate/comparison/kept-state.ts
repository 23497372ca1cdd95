import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isObject, parseJson } from '../../kit/json.ts'

/** What the index of some variants came to. */
export type LoadedIndex = { documents: number; failed: number; chunks: number; tokens: number }

/** A part of a chunk that is shown: the first right hit of an answer, or its first hit. */
export type ShownHit = { source: string; place: number; score: number; text: string }

/** How one variant answered one question. `hit` is null where there is none, or where it is not kept. */
export type VariantAnswer = {
  place: number | null
  ndcg10: number
  recall10: number
  ms: number
  hit: ShownHit | null
}

/** The answers to one question, in the order of the variants. */
export type AnswerRow = { question: string; answers: VariantAnswer[]; tokens: number }

/** What a comparison writes down as it goes, so that it can go on after the end of its process. */
export type KeptState = {
  /** When it began for the first time, in ms since 1970. */
  readonly startedAt: number
  /** Whether an earlier process has begun it. */
  readonly isKept: boolean
  readonly indexes: ReadonlyMap<string, LoadedIndex>
  readonly rows: readonly AnswerRow[]
  /** The folder of an index. */
  folderOf(key: string): string
  noteIndex(key: string, index: LoadedIndex): Promise<void>
  noteRow(row: AnswerRow): Promise<void>
}

/**
 * Opens the state of a comparison in a folder, or begins one. A state of another request or of another process that ended within a line
 * is used as far as it goes.
 *
 * @param fingerprint of the variants and questions; what was kept for others is not used
 */
export async function openState(
  directory: string,
  fingerprint: string,
  now: () => number = Date.now,
): Promise<KeptState> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const head = path.join(directory, 'comparison.json')
  const lines = path.join(directory, `answers-${fingerprint}.jsonl`)
  const kept = readHead(await readText(head), fingerprint)
  const startedAt = kept?.startedAt ?? now()
  const indexes = new Map(Object.entries(kept?.indexes ?? {}))
  const rows = readRows(await readText(lines))
  const save = async () => {
    const content = JSON.stringify({ fingerprint, startedAt, indexes: Object.fromEntries(indexes) })
    await writeFile(`${head}.new`, content, { mode: 0o600 })
    await rename(`${head}.new`, head)
  }
  await save()
  // A line that a killed process has left open must not swallow the next one.
  await writeFile(lines, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 })
  return {
    startedAt,
    isKept: kept !== undefined,
    indexes,
    rows,
    folderOf: (key) => path.join(directory, `index-${key}`),
    async noteIndex(key, index) {
      indexes.set(key, index)
      await save()
    },
    async noteRow(row) {
      rows.push(row)
      await appendFile(lines, `${JSON.stringify(row)}\n`)
    },
  }
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

type Head = { fingerprint: string; startedAt: number; indexes: Record<string, LoadedIndex> }

function readHead(text: string, fingerprint: string): Head | undefined {
  const head = parseJson(text)
  return isObject(head) && head.fingerprint === fingerprint ? (head as unknown as Head) : undefined
}

function readRows(text: string): AnswerRow[] {
  const rows: AnswerRow[] = []
  for (const line of text.split('\n')) {
    const row = parseJson(line)
    if (isObject(row) && Array.isArray(row.answers)) rows.push(row as unknown as AnswerRow)
  }
  return rows
}
