import { readdirSync } from 'node:fs'
import path from 'node:path'
import { MODES, type Mode, UNLIKELY } from '../src/contract/retrieval.ts'
import type { Candidate } from '../src/contract/search.ts'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import {
  isAnswer,
  bothCases,
  type AnswerableCase,
  RELIABILITY_HITS,
  measureConfidence,
} from '../src/evaluate/answerable.ts'
import { type Collection, readCollection } from '../src/evaluate/collection.ts'
import { ReliabilityMeter } from '../src/evaluate/reliability.ts'
import { evenly } from '../src/evaluate/timing.ts'
import { type ConfidenceBasis, basisOf, featuresOf } from '../src/retrieve/confidence.ts'
import { rankCandidates } from '../src/vector/ranking.ts'
import { type Example, fitLogistic } from './support/logistic.ts'
import { emptyStore } from './support/empty-store.ts'
import { loadBenchCollection } from './support/load-bench-collection.ts'
import { printTable } from './support/table.ts'

/*
 * How far can `confidence` be trusted? Fits its weights on the training collections, prints them (compare them with
 * src/retrieve/confidence-weights.ts), and measures what is committed on every collection. Three kinds of questions:
 * those that the collection answers; the same without the documents that answer them; questions asked over another
 * collection of the same language. Collections with the same texts (XQuAD and SQuAD) are not used as foreign to each other.
 */

const QUERIES = 400
const CANDIDATES = 200

/** By language; the weights are fitted on the first list and tested on the second. */
const TRAINING: Record<string, string[]> = {
  en: ['anthropic_docs', 'cosqa_code_dev', 'squad_dev', 'xquad_en'],
  zh: ['cmrc2018_zh_hans_dev'],
  fr: ['piaf_fr'],
  de: ['xquad_de'],
  hi: ['xquad_hi'],
}
const HELD_OUT: Record<string, string[]> = {
  en: ['chunking_eval', 'clapnq_dev', 'covidqa_longdocs'],
  zh: ['xquad_zh'],
  ar: ['arcd_ar'],
  pt: ['faquad_pt'],
  ja: ['jaquad_ja_dev'],
  es: ['xquad_es'],
}
const SAME_TEXTS = new Set(['squad_dev', 'xquad_en'])

type Kind = 'answered' | 'left out' | 'foreign'
type Asked = AnswerableCase & { kind: Kind }
type Measured = { name: string; training: boolean; cases: Asked[] }

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS is not set')
  const folder = path.join(corpus, 'retrieval')
  const present = new Set(readdirSync(folder))
  const measured: Measured[] = []
  for (const language of new Set([...Object.keys(TRAINING), ...Object.keys(HELD_OUT)])) {
    const names = [...(TRAINING[language] ?? []), ...(HELD_OUT[language] ?? [])].filter((name) =>
      present.has(name),
    )
    const collections = await Promise.all(names.map((name) => readCollection(path.join(folder, name))))
    for (const collection of collections) {
      const { name } = collection
      const training = TRAINING[language]?.includes(name) ?? false
      const others = collections.filter(
        (other) => other.name !== name && !(SAME_TEXTS.has(name) && SAME_TEXTS.has(other.name)),
      )
      measured.push({ name, training, cases: await ask(collection, others) })
      console.error(name)
    }
  }
  printWeights(measured.filter(({ training }) => training))
  for (const mode of MODES) printReliability(measured, mode)
}

/** Loads a collection and asks its own questions and those of others. */
async function ask(collection: Collection, others: readonly Collection[]): Promise<Asked[]> {
  await using opened = emptyStore()
  const { store } = opened
  const { embedder } = await loadBenchCollection(collection, store)
  const find = async (text: string): Promise<Candidate[]> =>
    store.search({ vector: await embedder.embedQuery(text), text, limit: CANDIDATES })
  const cases: Asked[] = []
  for (const { text, judged } of evenly(collection.queries, QUERIES))
    for (const one of bothCases(await find(text), judged))
      cases.push({ ...one, kind: one.answerable ? 'answered' : 'left out' })
  for (const other of others)
    for (const { text } of evenly(other.queries, Math.ceil(QUERIES / others.length)))
      cases.push({ found: await find(text), judged: new Map(), answerable: false, kind: 'foreign' })
  return cases
}

const rankingOf = (mode: Mode) => ({
  mode,
  fusion: 'convex' as const,
  weight: builtInEmbedder().hybridWeight!,
})
const basisIn = (mode: Mode): ConfidenceBasis => basisOf({ mode, metric: 'cosine' }, builtInEmbedder().id)!

/**
 * Every collection counts alike, and in it the questions with an answer as much as those without. The first hit of a
 * question counts as much as all the others together.
 */
function printWeights(training: readonly Measured[]): void {
  printTable([
    ['fitted for', 'bias and weights'],
    ...MODES.map((mode) => {
      const examples = training.flatMap(({ cases }) => examplesOf(cases, mode))
      return [
        basisIn(mode),
        fitLogistic(examples)
          .map((one) => one.toFixed(2))
          .join(', '),
      ]
    }),
  ])
}

function examplesOf(cases: readonly Asked[], mode: Mode): Example[] {
  const kinds = Map.groupBy(cases, ({ kind }) => kind)
  return cases.flatMap(({ found, judged, kind, answerable }) => {
    const features = featuresOf(found, basisIn(mode))
    const share = answerable ? 1 : 1 / (kinds.size - 1)
    return rankCandidates(found, rankingOf(mode))
      .slice(0, RELIABILITY_HITS)
      .flatMap(({ candidate }, at) => {
        const values = features(candidate)
        const weight = (share / kinds.get(kind)!.length) * (at === 0 ? 1 : 1 / (RELIABILITY_HITS - 1))
        return values ? [{ values, right: isAnswer(judged, candidate), weight }] : []
      })
  })
}

function printReliability(measured: readonly Measured[], mode: Mode): void {
  const all = { training: new ReliabilityMeter(), 'held out': new ReliabilityMeter() }
  console.log()
  printTable([
    [
      `confidence, ${mode}`,
      'fitted on',
      'ECE',
      'AUROC',
      'AUROC, left out',
      'AUROC, foreign',
      'answered, all low',
      'left out, all low',
      'foreign, all low',
    ],
    ...measured.map(({ name, training, cases }) => {
      const meters = {
        all: new ReliabilityMeter(),
        left: new ReliabilityMeter(),
        foreign: new ReliabilityMeter(),
      }
      for (const one of cases) {
        const into = [meters.all, training ? all.training : all['held out']]
        if (one.kind !== 'foreign') into.push(meters.left)
        if (one.kind !== 'left out') into.push(meters.foreign)
        const ranked = rankCandidates(one.found, rankingOf(mode)).map(({ candidate }) => candidate)
        for (const meter of into) measureConfidence(meter, one, ranked, basisIn(mode))
      }
      return [name, training ? 'yes' : 'no', ...figures(meters)]
    }),
    ...Object.entries(all).map(([name, meter]) => [
      name,
      '',
      ...[meter.result()!.ece, meter.result()!.auroc].map((one) => one.toFixed(3)),
      ...['', '', meter.below(UNLIKELY).answerable.toFixed(3), '', ''],
    ]),
  ])
  console.log()
  printTable([
    [`${mode}, held out: confidence`, 'first hits', 'mean confidence', 'right'],
    ...all['held out']
      .result()!
      .curve.map(({ from, to, questions, confidence, right }) => [
        `${from.toFixed(1)} to ${to.toFixed(1)}`,
        String(questions),
        ...[confidence, right].map((one) => one.toFixed(3)),
      ]),
  ])
}

function figures({ all, left, foreign }: Record<'all' | 'left' | 'foreign', ReliabilityMeter>): string[] {
  const text = (one: number) => (Number.isFinite(one) ? one.toFixed(3) : '')
  return [
    ...[all.result()!.ece, all.result()!.auroc, left.result()!.auroc, foreign.result()!.auroc],
    ...[
      left.below(UNLIKELY).answerable,
      left.below(UNLIKELY).unanswerable,
      foreign.below(UNLIKELY).unanswerable,
    ],
  ].map(text)
}

if (import.meta.main) await run()
