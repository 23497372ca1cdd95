import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MODES, type Mode } from '../src/contract/retrieval.ts'
import { ReliabilityMeter } from '../src/evaluate/reliability.ts'
import { probability } from '../src/retrieve/confidence.ts'
import { CONFIDENCE_WEIGHTS, UNLIKELY_BELOW } from '../src/retrieve/confidence-weights.ts'
import { basisIn, type ConfidenceCase, confidenceCases } from './support/confidence-cases.ts'
import {
  fitThresholds,
  fitWeights,
  highest,
  SCRIPTS,
  type Thresholds,
  weightsLeftOut,
} from './support/confidence-fit.ts'
import { LENGTH_CLASSES, lengthClassOf } from '../src/retrieve/question-kind.ts'
import { printTable } from './support/table.ts'

/*
 * How far can `confidence` be trusted? Fits its weights on the collections below SLUICE_CORPUS/retrieval, and measures each
 * family of collections with weights and thresholds that were fitted without it, the worst first. Questions without an answer
 * are those of the same collection, with the documents that answer them left out, and those that people asked in vain.
 *
 *   node bench/confidence.ts --write     also writes what was fitted to src/retrieve/confidence-weights.ts
 *
 * BENCH_QUERIES sets how many queries of each collection are used; with 250 it takes about five minutes.
 */

/** Where fewer of the questions have a confidence, its error does not count for the order of the rows. */
const LEAST_KNOWN = 0.1
const QUERIES = Number(process.env.BENCH_QUERIES ?? 250)
const WEIGHTS_FILE = fileURLToPath(new URL('../src/retrieve/confidence-weights.ts', import.meta.url))

/** What is used for a case: fitted without its family, or what is committed. */
type Used = { weights: readonly number[]; below: Thresholds }

export async function run(write = false): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS is not set')
  report(await confidenceCases(path.join(corpus, 'retrieval'), QUERIES), write)
}

export function report(cases: readonly ConfidenceCase[], write: boolean): void {
  const fitted = MODES.map((mode) => ({ mode, ...measureMode(cases, mode) }))
  console.log()
  printTable([
    ['fitted on all', 'bias and weights', ...SCRIPTS.map((script) => `unlikely below, ${script}`)],
    ...fitted.map(({ mode, weights, below }) => [
      basisIn(mode),
      weights.map((one) => one.toFixed(2)).join(', '),
      ...SCRIPTS.map((script) => below[script].join(', ')),
    ]),
    ...MODES.map(basisIn).map((basis) => [
      `${basis}, committed`,
      CONFIDENCE_WEIGHTS[basis].map((one) => one.toFixed(2)).join(', '),
      ...SCRIPTS.map((script) => UNLIKELY_BELOW[basis][script].join(', ')),
    ]),
  ])
  if (!write) return
  let text = readFileSync(WEIGHTS_FILE, 'utf8')
  for (const { mode, weights, below } of fitted) {
    const basis = basisIn(mode)
    text = text
      .replace(
        new RegExp(`(${basis}: )\\[[^\\]]*\\]`),
        (_, name: string) => `${name}[${weights.map((one) => Number(one.toFixed(2))).join(', ')}]`,
      )
      .replace(
        new RegExp(`(${basis}: )\\{[^}]*\\}`),
        (_, name: string) =>
          `${name}{ latin: [${below.latin.join(', ')}], 'east-asian': [${below['east-asian'].join(', ')}] }`,
      )
  }
  writeFileSync(WEIGHTS_FILE, text)
}

/** Prints the figures of a mode. */
function measureMode(cases: readonly ConfidenceCase[], mode: Mode): Used {
  const leftOut = weightsLeftOut(cases, mode)
  const weightsOf = (family: string) => leftOut.get(family)!
  // Of a family that is left out neither the weights nor the thresholds know anything.
  const thresholds = fitThresholds(cases, mode, weightsOf)
  const used = new Map(
    [...leftOut].map(([family, weights]): [string, Used] => [
      family,
      { weights, below: thresholds.leftOut.get(family)! },
    ]),
  )
  const forecast = ({ family }: ConfidenceCase) => used.get(family)!
  const committed: Used = { weights: CONFIDENCE_WEIGHTS[basisIn(mode)], below: UNLIKELY_BELOW[basisIn(mode)] }
  const figures = (keyOf: (one: ConfidenceCase) => string, of = forecast) =>
    [...Map.groupBy(cases, keyOf)]
      .map(([name, group]) => figuresOf(name, group, mode, of))
      .toSorted((one, other) => other.wrongly - one.wrongly || other.error - one.error)
      .map(({ cells }) => cells)
  printTable([[`${mode}, family left out`, ...COLUMNS], ...figures(({ set }) => set)])
  printTable([[`${mode}, by family`, ...COLUMNS], ...figures(({ family }) => family)])
  printTable([[`${mode}, by length`, ...COLUMNS], ...figures(lengthOf)])
  printTable([[`${mode}, by script`, ...COLUMNS], ...figures(({ script }) => script ?? 'other')])
  printTable([
    [`${mode}, all`, ...COLUMNS],
    ...figures(() => 'families left out'),
    ...figures(
      () => 'committed weights',
      () => committed,
    ),
  ])
  printTable([
    [`${mode}, by family, committed weights`, ...COLUMNS],
    ...figures(
      ({ family }) => family,
      () => committed,
    ),
  ])
  printCurve(cases, mode, forecast)
  return { weights: fitWeights(cases, mode), below: thresholds.all }
}

/** Words of a question, from and up to. */
function lengthOf({ words }: ConfidenceCase): string {
  const at = lengthClassOf(words)
  if (at === undefined) return words < LENGTH_CLASSES[0]! ? 'shorter' : 'longer'
  return `${at === 0 ? '' : `over ${LENGTH_CLASSES[at - 1]}, `}up to ${LENGTH_CLASSES[at]} words`
}

const COLUMNS = [
  'with answer',
  'without',
  'have a confidence',
  'ECE',
  'AUROC',
  'ECE if all had one',
  'AUROC if all had one',
  'first hit right',
  'first hits from .9',
  'of these right',
  '“probably none”, with answer',
  '“probably none”, without',
]

/** Adds a case to a meter, as the product answers it, or as if every hit had a confidence. */
function addTo(
  meter: ReliabilityMeter,
  one: ConfidenceCase,
  mode: Mode,
  { weights, below }: Used,
  all = false,
) {
  const { fitted, hits } = one.modes[mode]
  const length = lengthClassOf(one.words)
  const threshold = one.script === undefined || length === undefined ? 0 : below[one.script][length]!
  meter.add(
    hits.map(({ values, right, code }) => ({
      confidence: all || (fitted && !code) ? probability(values, weights) : null,
      right,
    })),
    { answerable: one.answerable, unlikely: (highest(one, mode, weights) ?? 1) < threshold },
  )
}

function figuresOf(
  name: string,
  group: readonly ConfidenceCase[],
  mode: Mode,
  usedFor: (one: ConfidenceCase) => Used,
) {
  const [shown, all] = [new ReliabilityMeter(), new ReliabilityMeter()]
  for (const one of group) {
    addTo(shown, one, mode, usedFor(one))
    addTo(all, one, mode, usedFor(one), true)
  }
  const answered = group.filter(({ answerable }) => answerable)
  const right = answered.filter(({ modes }) => modes[mode].hits[0]?.right).length / answered.length
  const result = shown.result()
  const { answerable, unanswerable } = shown.unlikely()
  const top = result?.curve.find(({ from }) => from === 0.9)
  const text = (one: number | undefined) => (one === undefined ? '' : one.toFixed(3))
  return {
    wrongly: answerable,
    // Of a few questions the error says nothing.
    error: result && result.known > LEAST_KNOWN ? result.ece : 0,
    cells: [
      name,
      String(answered.length),
      String(group.length - answered.length),
      ...[result?.known ?? 0, result?.ece, result?.auroc].map(text),
      ...[all.result()?.ece, all.result()?.auroc, right].map(text),
      String(top?.questions ?? 0),
      ...[top?.right, answerable, unanswerable].map(text),
    ],
  }
}

function printCurve(
  cases: readonly ConfidenceCase[],
  mode: Mode,
  usedFor: (one: ConfidenceCase) => Used,
): void {
  const meter = new ReliabilityMeter()
  for (const one of cases) addTo(meter, one, mode, usedFor(one))
  printTable([
    [`${mode}, families left out`, 'first hits', 'mean confidence', 'right'],
    ...(meter.result()?.curve ?? []).map(({ from, to, questions, confidence, right }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      String(questions),
      ...[confidence, right].map((one) => one.toFixed(3)),
    ]),
  ])
}

if (import.meta.main) await run(process.argv.includes('--write'))
