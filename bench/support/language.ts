import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Texts in which words are distributed as in a language, made from real texts: with SLUICE_CORPUS from its collections, else
 * from the examples and docs of the repository. A text is a series of fragments of 4 to 12 words. Most of them come from one
 * region of a collection, so that a text repeats the words of its subject; each text has a rare name, so that the vocabulary
 * grows with the square root of the number of texts. Everything follows from a number: the same one gives the same text.
 */

/** Texts of one collection, joined, and where each word of them begins. */
type Collection = { text: string; starts: Uint32Array }

type Language = { collections: Collection[]; words: number; questions: string[] }

const REGION_WORDS = 600
const FRAGMENT = { least: 4, more: 9 }
const LONGEST_REST = 100
/** The share of fragments that come from the region of the text, in percent. */
const OF_REGION = 70
/** Rare names have the ranks after those of the words of the collections. */
const FIRST_NAME = 150_000
const LARGEST_NAME = 2 ** 31

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let loaded: Language | undefined
const language = (): Language => (loaded ??= load())

/** A text on one line, with at least so many characters and up to 100 more. */
export function languageText(number: number, characters: number): string {
  const { collections, words } = language()
  const next = numbersFrom(number)
  const { text, starts } = collectionAt(collections, next(words))
  const last = starts.length - FRAGMENT.least - FRAGMENT.more
  const region = next(Math.max(1, last - REGION_WORDS))
  let made = `${nameOf(next)} `
  while (made.length <= characters) {
    const from = next(100) < OF_REGION ? Math.min(last, region + next(REGION_WORDS)) : next(last)
    made += text.slice(starts[from], starts[from + FRAGMENT.least + next(FRAGMENT.more)])
  }
  return made.slice(0, characters + LONGEST_REST).trimEnd()
}

/**
 * A question: half of them as people asked them in the collections, half a fragment of a text with one more word. One in
 * four has a rare name.
 */
export function languageQuestion(number: number): string {
  const { collections, words, questions } = language()
  const next = numbersFrom(number ^ 0x5bd1e995)
  const { text, starts } = collectionAt(collections, next(words))
  const from = next(starts.length - FRAGMENT.least - FRAGMENT.more)
  const asked =
    number % 2 === 0
      ? questions[next(questions.length)]!
      : `what is ${text.slice(starts[from], starts[from + FRAGMENT.least + next(4)])}`
  return next(4) === 0 ? `${asked} ${nameOf(next)}` : asked
}

function load(): Language {
  const corpus = process.env.SLUICE_CORPUS
  const sources = corpus === undefined ? examples() : retrievalCollections(corpus)
  const collections = sources.map(({ text }) => collectionOf(text)).filter(hasWords)
  return {
    collections,
    words: collections.reduce((sum, { starts }) => sum + starts.length, 0),
    questions: sources.flatMap(({ questions }) => questions),
  }
}

function collectionOf(given: string): Collection {
  const text = `${given.replace(/\s+/g, ' ').trim()} `
  const starts = [0]
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) starts.push(at + 1)
  return { text, starts: Uint32Array.from(starts) }
}

/** Texts of languages without spaces between words cannot be cut into words here; they are left out. */
const hasWords = ({ text, starts }: Collection): boolean => text.length / starts.length < 12

type Source = { text: string; questions: string[] }

function retrievalCollections(corpus: string): Source[] {
  const folder = path.join(corpus, 'retrieval')
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, 'corpus.jsonl')))
    .map((name) => {
      const lines = (file: string) =>
        readFileSync(path.join(folder, name, file), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { text: string }).text)
      const text = lines('corpus.jsonl').join(' ')
      return { text, questions: hasWords(collectionOf(text)) ? lines('queries.jsonl') : [] }
    })
}

function examples(): Source[] {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const decisions = readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
  const files = ['handbook.txt', 'house-rules.md', 'tickets.jsonl', 'menu.json'].map(
    (name) => `examples/documents/${name}`,
  )
  const asked = JSON.parse(read('examples/questions.json')) as { question: string }[]
  return [
    { text: files.map(read).join(' '), questions: asked.map(({ question }) => question) },
    {
      text: ['README.md', 'docs/architecture.md', 'docs/security.md', ...decisions].map(read).join(' '),
      questions: [],
    },
  ]
}

/** The collection that has a word, counted over all of them. */
function collectionAt(collections: readonly Collection[], word: number): Collection {
  let rest = word
  for (const one of collections) {
    if (rest < one.starts.length) return one
    rest -= one.starts.length
  }
  return collections.at(-1)!
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')

/** A made-up name: the one with rank n is as frequent as 1 / n². */
function nameOf(next: (below: number) => number): string {
  const rank = Math.min(LARGEST_NAME, FIRST_NAME / ((next(1 << 30) + 1) / (1 << 30)))
  let name = ''
  for (let rest = Math.floor(rank); rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    name += SYLLABLES[rest % SYLLABLES.length]
  return name
}

/** Whole numbers from 0 to below a limit (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
