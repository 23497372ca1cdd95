import { simulatedDifferences } from '../test/support/simulated-differences.ts'
import type { VariantVerdict } from '../src/contract/verdict.ts'
import { holm } from '../src/evaluate/verdict/holm.ts'
import { LOOK_LEVEL, LOOKS, lookPoints, type Looks } from '../src/evaluate/verdict/looks.ts'
import { pairedTest, type PairedDifference } from '../src/evaluate/verdict/paired-test.ts'
import { LEAST_QUESTIONS, RELEVANT_DIFFERENCE, verdictsOf } from '../src/evaluate/verdict/verdict.ts'
import { printTable } from './support/table.ts'

/*
 * How often a verdict is wrong where no variant differs from the baseline, and how often a true difference is found. The differences are
 * drawn as they were measured on 254 pairs of variants. BENCH_TRIALS sets the number of trials, 1,000 unless given, and
 * BENCH_VARIANTS how many variants are compared with the baseline among them, 2 and 8 unless given. BENCH_SEED: another number draws
 * other trials.
 */

const TRIALS = Number(process.env.BENCH_TRIALS ?? 1000)
/** Far apart, so that no trial of one is a trial of another. */
const FIRST = 1_000_000 * Number(process.env.BENCH_SEED ?? 0)
const QUESTIONS = [30, 50, 100, 200]
/** Two variants are one against the baseline, eight are seven. */
const VARIANTS = (process.env.BENCH_VARIANTS ?? '2,8').split(',').map(Number)

export async function run(): Promise<void> {
  reportDraw()
  console.log()
  reportFalse()
  console.log()
  reportLevels()
  console.log()
  reportPower()
}

function reportDraw(): void {
  const drawn = [0, 0.02, 0.05].map((effect) => {
    const differences = simulatedDifferences({ questions: 50_000, variants: 1, effect, seed: 7 })[0]!
    const values = differences.map(({ difference }) => difference)
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length
    const square = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / values.length
    const differing = values.filter((one) => one !== 0).length / values.length
    return [effect.toFixed(2), mean.toFixed(4), Math.sqrt(square).toFixed(3), percent(differing)]
  })
  printTable([['drawn with effect', 'mean', 'deviation', 'differing'], ...drawn])
}

/** The verdicts of a comparison with its looks: that of the first look which tells a difference, else that of the last. */
function verdictsWithLooks(all: PairedDifference[][], looks: Looks, seed: number): VariantVerdict[] {
  const verdicts: VariantVerdict[] = []
  const points = lookPoints(all[0]!.length, looks)
  for (const [at, point] of points.entries()) {
    const seen = all.map((differences) => differences.slice(0, point))
    const isLast = at === points.length - 1
    if (!isLast && (point < LEAST_QUESTIONS || !mayTell(seen, looks, seed))) continue
    const found = verdictsOf(
      seen.map((differences, variant) => ({ name: `v${variant}`, differences })),
      { baseline: 'live', looks, seed },
    )
    for (const [variant, verdict] of found.entries())
      if (verdicts[variant] === undefined && (isLast || isTold(verdict))) verdicts[variant] = verdict
  }
  return verdicts
}

/** Whether the tests alone reject anything, without their intervals. */
const mayTell = (seen: PairedDifference[][], looks: Looks, seed: number): boolean =>
  holm(
    seen.map((differences) => pairedTest(differences, seed).p),
    LOOK_LEVEL[looks],
  ).some(({ rejected }) => rejected)

const isTold = ({ kind }: VariantVerdict): boolean => kind === 'better' || kind === 'worse'

function reportFalse(): void {
  const rows: (string | number)[][] = [['no difference: questions', 'variants', 'looks', 'false verdicts']]
  for (const variants of VARIANTS)
    for (const looks of LOOKS)
      for (const questions of QUESTIONS) {
        let wrong = 0
        for (let trial = 0; trial < TRIALS; trial++) {
          const all = simulatedDifferences({ questions, variants: variants - 1, seed: FIRST + 1 + trial })
          const seen = lookPoints(questions, looks).map((point) => all.map((one) => one.slice(0, point)))
          if (!seen.some((one) => mayTell(one, looks, trial))) continue
          if (verdictsWithLooks(all, looks, trial).some(isTold)) wrong++
        }
        rows.push([String(questions), variants, looks, percent(wrong / TRIALS)])
      }
  printTable(rows)
}

const LEVELS = [0.01, 0.02, 0.03, 0.05]

/** What three looks at other levels would give. */
function reportLevels(): void {
  const rows: (string | number)[][] = [
    ['three looks at', ...LEVELS.map((level) => level.toString())],
    ...VARIANTS.flatMap((variants) =>
      QUESTIONS.slice(2).map((questions) => {
        const wrong = LEVELS.map(() => 0)
        for (let trial = 0; trial < TRIALS; trial++) {
          const all = simulatedDifferences({
            questions,
            variants: variants - 1,
            seed: FIRST + 100_001 + trial,
          })
          const values = lookPoints(questions, 3)
            .filter((point) => point >= LEAST_QUESTIONS)
            .map((point) => all.map((one) => pairedTest(one.slice(0, point), trial).p))
          for (const [at, level] of LEVELS.entries())
            if (values.some((ps) => holm(ps, level).some(({ rejected }) => rejected))) wrong[at]!++
        }
        return [
          `false, ${variants} variants, ${questions} questions`,
          ...wrong.map((count) => percent(count / TRIALS)),
        ]
      }),
    ),
  ]
  printTable(rows)
}

function reportPower(): void {
  const rows: (string | number)[][] = [
    [
      'true difference',
      'questions',
      'variants',
      'looks',
      'found',
      'wrong way',
      'called unlikely',
      'cannot tell',
    ],
  ]
  for (const effect of [0, RELEVANT_DIFFERENCE, 0.05])
    for (const [variants, looks] of [
      [2, 1],
      [2, 3],
    ] as const)
      for (const questions of [50, 100, 200, 400]) {
        const counts = { better: 0, worse: 0, alike: 0, open: 0 }
        const trials = Math.min(TRIALS, 200)
        for (let trial = 0; trial < trials; trial++) {
          const all = simulatedDifferences({
            questions,
            variants: variants - 1,
            effect,
            seed: FIRST + 200_001 + trial,
          })
          counts[verdictsWithLooks(all, looks, trial)[0]!.kind]++
        }
        const share = (kind: keyof typeof counts) => percent(counts[kind] / trials)
        rows.push([
          effect.toFixed(2),
          questions,
          variants,
          looks,
          ...[share('better'), share('worse'), share('alike'), share('open')],
        ])
      }
  printTable(rows)
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
