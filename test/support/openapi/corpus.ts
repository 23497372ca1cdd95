import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isObject } from '../../../src/kit/json.ts'
import { parseTree } from '../../../src/openapi/read/document.ts'

/** A description with the files beside it, as on the web. */
export type CorpusApi = { file: string; link: string; texts: Record<string, string> }

const ORIGIN = 'https://corpus.example/'
/** The folders with descriptions of several files; all others are one file. */
const FOLDERS = [
  'digitalocean-multifile',
  'oai/v2.0/yaml/petstore-separate',
  'oai/v2.0/json/petstore-separate',
]

/** The descriptions below a folder, and the files that are none. */
export function corpusApis(folder: string): { apis: CorpusApi[]; others: CorpusApi[] } {
  const files = globSync('**/*.{json,yaml,yml}', { cwd: folder }).sort()
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  const apis: CorpusApi[] = []
  const others: CorpusApi[] = []
  for (const file of files) {
    const text = read(file)
    const home = FOLDERS.find((one) => file.startsWith(`${one}/`))
    const link = new URL(file, ORIGIN).href
    if (!isDescription(text)) {
      if (!home) others.push({ file, link, texts: { [link]: text } })
      continue
    }
    const beside = home ? files.filter((other) => other.startsWith(`${home}/`)) : [file]
    const texts = Object.fromEntries(beside.map((one) => [new URL(one, ORIGIN).href, read(one)]))
    apis.push({ file, link, texts })
  }
  return { apis, others }
}

function isDescription(text: string): boolean {
  if (!/^\s*\{?\s*["']?(openapi|swagger)["']?\s*:/m.test(text)) return false
  const tree = parseTree(text)
  return isObject(tree) && (tree.openapi !== undefined || tree.swagger !== undefined)
}
