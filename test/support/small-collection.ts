import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Writes a small collection for `sluice eval` into the folder `birds`. Returns its path. */
export function makeCollection(directory: string): string {
  const folder = path.join(directory, 'birds')
  mkdirSync(folder)
  const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
  const files = {
    'corpus.jsonl': lines([
      { _id: 'https://birds/#heron', title: 'Heron', text: 'It waits at the water for fish.' },
      { _id: 'owl', title: 'Owl', text: 'It hunts mice in the night.' },
    ]),
    'queries.jsonl': lines([{ _id: 1, text: 'which bird hunts mice in the night?' }]),
    'qrels.tsv': 'query-id\tcorpus-id\tscore\n1\towl\t1\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  return folder
}
