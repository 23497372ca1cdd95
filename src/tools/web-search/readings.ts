import { FILE_LIMITS } from '../../formats/limits.ts'
import { readXmlInSteps } from '../../formats/xml.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, parseJson } from '../../kit/json.ts'
import type { WebAnswer, WebResult } from './service.ts'

/** Where a JSON answer has its parts, as paths of field names: `web.results`, `answer_box.answer`. */
export type AnswerPaths = {
  /** The list of results; one that finds nothing may lack it. */
  results: string
  /** The fields of a result. */
  title: string
  address: string
  /** The fields of its text; the first that is there counts. */
  text: readonly string[]
  /** Texts that answer by themselves. */
  answers?: readonly string[]
  /** The field of a result by which they are in order, where the list is not. */
  order?: string
}

/** A reading of JSON by its paths. */
export const readingOf =
  (paths: AnswerPaths) =>
  (body: string): WebAnswer | undefined => {
    const answer = parseJson(body)
    if (!isObject(answer)) return undefined
    const list = valueAt(answer as Json, paths.results)
    if (list !== undefined && !Array.isArray(list)) return undefined
    const rows = (list ?? []).filter(isObject) as { [name: string]: Json }[]
    const { order } = paths
    if (order !== undefined) rows.sort((one, other) => Number(one[order]) - Number(other[order]))
    return {
      answers: (paths.answers ?? [])
        .map((path) => textOf(valueAt(answer as Json, path)))
        .filter((text) => text !== ''),
      results: rows.map((row) => ({
        title: textOf(valueAt(row, paths.title)),
        address: textOf(valueAt(row, paths.address)),
        text: paths.text.map((path) => textOf(valueAt(row, path))).find((text) => text !== '') ?? '',
      })),
    }
  }

/** A reading of an answer that is a text: the text is the answer. */
export const readPlainAnswer = (body: string): WebAnswer | undefined =>
  /^\s*<(!doctype|html)/i.test(body)
    ? undefined
    : { answers: body.trim() === '' ? [] : [body.trim()], results: [] }

/** The entry of a feed, with the texts of its elements as they came. */
type Entry = { title: string; id: string; summary: string; published: string; authors: string[] }

/** Reads the entries of an Atom feed (RFC 4287), with the names of their authors and the day of their publication. */
export function readAtom(body: string): WebAnswer | undefined {
  const entries: Entry[] = []
  let isFeed = false
  let open: Entry | undefined
  const into = (name: 'title' | 'id' | 'summary' | 'published') => ({
    text(text: string) {
      if (open) open[name] += text
    },
  })
  const rules = {
    feed: {
      open() {
        isFeed = true
      },
    },
    entry: {
      open() {
        open = { title: '', id: '', summary: '', published: '', authors: [] }
        entries.push(open)
      },
      close() {
        open = undefined
      },
    },
    name: { text: (text: string) => void open?.authors.push(text) },
    title: into('title'),
    id: into('id'),
    summary: into('summary'),
    published: into('published'),
  }
  try {
    const place = { file: 'the answer', part: 'the feed' }
    const steps = readXmlInSteps(Buffer.from(body), rules, FILE_LIMITS, place)
    while (!steps.next().done);
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
  return isFeed ? { answers: [], results: entries.map(entryResult) } : undefined
}

function entryResult({ title, id, summary, published, authors }: Entry): WebResult {
  const byWhom = [oneLine(authors.join(', ')), published.trim().slice(0, 10)]
  const lines = [byWhom.filter((part) => part !== '').join(', '), oneLine(summary)]
  return { title: oneLine(title), address: id.trim(), text: lines.filter((line) => line !== '').join('\n') }
}

/** The value at a path of field names with points between them; undefined where there is none. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let inner = value
  for (const name of path.split('.')) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return undefined
    inner = inner[name] as Json
  }
  return inner
}

/** A value as text: texts of a list one after another, without tags. */
function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(' … ')
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? plain(value) : ''
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
}

/** Services mark the words of the question in their texts with tags. */
const plain = (text: string): string =>
  text
    .replace(/<\/?(?:strong|b|em|i|mark|span|br)\b[^<>]{0,200}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_entity, name: string) => ENTITIES[name]!)
    .trim()

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
