import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { Collection } from '../../src/evaluate/collection.ts'

type About = { title: string; description: string }

/** A statement shorter than this says nothing of one licence. */
const LEAST = 40

/**
 * A stand-in for contracts: licences, which share most of their words, and statements about one of them without its name,
 * which are sentences of the descriptions of choosealicense.com.
 *
 * @param folder of the Python package `pychoosealicense`
 */
export function licenceCollection(folder: string): Collection {
  const licences = path.join(folder, '_licenses')
  const documents: Collection['documents'] = []
  const queries: Collection['queries'] = []
  for (const file of readdirSync(licences).toSorted()) {
    if (!file.endsWith('.txt')) continue
    const id = file.slice(0, -'.txt'.length)
    const [, front = '', text = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path.join(licences, file), 'utf8')) ?? []
    documents.push({ id, title: '', text: text.trim() })
    const { title, description } = parse(front) as About
    const statements = withoutMarkup(description).split(/(?<=\.)\s+/)
    for (const [at, statement] of statements.entries())
      if (statement.length >= LEAST)
        queries.push({
          id: `${id}#${at}`,
          text: withoutWords(statement, `${title} ${id}`),
          judged: new Map([[id, 1]]),
        })
  }
  return { name: 'licences', documents, queries }
}

const withoutMarkup = (text: string): string =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]+>/g, '')

/** A statement without the words of a name, but with those that are words of every licence. */
function withoutWords(statement: string, name: string): string {
  const words = new Set((name.match(/[A-Za-z0-9.]{3,}/g) ?? []).map((word) => word.toLowerCase()))
  for (const word of ['license', 'public', 'general']) words.delete(word)
  return statement.replace(/[A-Za-z0-9.]*[A-Za-z0-9]/g, (word) => (words.has(word.toLowerCase()) ? '' : word))
}
