import { readdirSync } from 'node:fs'
import path from 'node:path'
import { type Collection, readCollection } from '../../src/evaluate/collection.ts'
import { licenceCollection } from './licence-collection.ts'
import { withPersianLetters } from './persian-letters.ts'

/** The collections that the figures of earlier notes are means of. */
export const FIRST_SIXTEEN: ReadonlySet<string> = new Set([
  'anthropic_docs',
  'arcd_ar',
  'chunking_eval',
  'clapnq_dev',
  'cmrc2018_zh_hans_dev',
  'cosqa_code_dev',
  'covidqa_longdocs',
  'faquad_pt',
  'jaquad_ja_dev',
  'piaf_fr',
  'squad_dev',
  'xquad_de',
  'xquad_en',
  'xquad_es',
  'xquad_hi',
  'xquad_zh',
])

/**
 * The collections below SLUICE_CORPUS/retrieval by name; one with Persian letters that is made of arcd_ar; and licences as a
 * stand-in for contracts, where BENCH_LICENCES names the folder of the Python package `pychoosealicense`. None where
 * SLUICE_CORPUS is not set.
 *
 * @param names only these, unless empty
 */
export async function* benchCollections(names: readonly string[] = []): AsyncGenerator<Collection> {
  const { SLUICE_CORPUS: corpus, BENCH_LICENCES: licences } = process.env
  if (corpus === undefined) return
  const wanted = (name: string) => names.length === 0 || names.includes(name)
  const folder = path.join(corpus, 'retrieval')
  for (const name of readdirSync(folder).toSorted()) {
    if (wanted(name)) yield await readCollection(path.join(folder, name))
    if (name === 'arcd_ar' && wanted('arcd_persian'))
      yield { ...withPersianLetters(await readCollection(path.join(folder, name))), name: 'arcd_persian' }
  }
  if (licences !== undefined && wanted('licences')) yield licenceCollection(licences)
}
