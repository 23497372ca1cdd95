import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** The folder with a data directory of each schema that `sluice rescue` reads, as the version with that schema made it. */
const KEPT = fileURLToPath(new URL('../fixtures/sqlite-rescue/', import.meta.url))

const [DATABASE, SECRET, FACTS] = ['sluice.db.br', 'secret.key', 'facts.json']

/** What the server of a kept directory was told: texts that a test asks for again. */
export type KeptFacts = {
  /** The key that the flow `reply` needs. */
  apiKey: string
  credentialId: string
  /** Of the flow `reply`, with the chat of the session `kept`. */
  flowId: string
}

/** What every kept directory was told. */
export const KEPT_TEXTS = {
  question: 'Which berth is free?',
  answer: 'Berth seven.',
  variable: 'harbour master',
  credential: 'sk-kept',
} as const

/** The numbers of these schemas. */
export const RESCUED_SCHEMAS: readonly number[] = (existsSync(KEPT) ? readdirSync(KEPT) : [])
  .map((name) => Number(name.replace('schema-', '')))
  .sort((one, other) => one - other)

const folderOf = (schema: number) => path.join(KEPT, `schema-${schema}`)

/** Makes the kept data directory of a schema. The first schemas have their secret in the database. */
export function unpackOld(schema: number, directory: string): KeptFacts {
  const folder = folderOf(schema)
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    path.join(directory, 'sluice.db'),
    brotliDecompressSync(readFileSync(path.join(folder, DATABASE))),
  )
  const secret = path.join(folder, SECRET)
  if (existsSync(secret)) copyFileSync(secret, path.join(directory, SECRET))
  return JSON.parse(readFileSync(path.join(folder, FACTS), 'utf8')) as KeptFacts
}

/** Keeps a data directory that no server uses. */
export function keepOld(schema: number, directory: string, facts: KeptFacts): void {
  const folder = folderOf(schema)
  mkdirSync(folder, { recursive: true })
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(
    path.join(folder, DATABASE),
    brotliCompressSync(readFileSync(path.join(directory, 'sluice.db')), { params }),
  )
  const secret = path.join(directory, SECRET)
  if (existsSync(secret)) copyFileSync(secret, path.join(folder, SECRET))
  writeFileSync(path.join(folder, FACTS), `${JSON.stringify(facts, null, 2)}\n`)
}
