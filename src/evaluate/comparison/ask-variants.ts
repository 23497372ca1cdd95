import type { StorePart } from '../../contract/card.ts'
import type { VariantVerdict } from '../../contract/verdict.ts'
import type { Retrieved } from '../../retrieve/answer.ts'
import { createRetriever, type RetrievalReport } from '../../retrieve/run.ts'
import { scoreQuestion, soughtJudgements } from '../questions/score-question.ts'
import { lookPoints, type Looks } from '../verdict/looks.ts'
import { LEAST_QUESTIONS, verdictsOf } from '../verdict/verdict.ts'
import type { ComparedQuestion } from './compared-questions.ts'
import type { AnswerRow, KeptState, LoadedIndex, VariantAnswer } from './kept-state.ts'
import {
  type ComparedRow,
  type ComparedVariantResult,
  differencesOf,
  measuresOf,
  rowsWorstFirst,
} from './outcome.ts'

/** How many characters of a hit are kept, and of how many questions. */
const SHOWN_TEXT = 1000
const SHOWN_ROWS = 300

type Asking = {
  variants: readonly { name: string }[]
  /** What searches for each variant. */
  parts: readonly StorePart[]
  questions: readonly ComparedQuestion[]
  looks: Looks
  seed: number
  state: KeptState
  /** Tokens of questions since it was read. */
  meter: { tokens: number }
  signal: AbortSignal
  look(): Promise<void>
  onAsked(done: number): void
}

type Asked = {
  results: Omit<ComparedVariantResult, 'name' | 'index' | keyof LoadedIndex>[]
  questions: number
  rows: ComparedRow[]
}

/**
 * Asks each variant each question, one question after another, so that all have the same machine. At a planned look where every variant
 * differs from the baseline the rest is not asked.
 */
export async function askVariants(asking: Asking): Promise<Asked> {
  const { variants, parts, questions, looks, seed, state, meter, signal } = asking
  const retriever = createRetriever()
  const byId = new Map(questions.map((question) => [question.id, question]))
  const known = new Map(state.rows.map((row) => [row.question, row]))
  const rows: AnswerRow[] = []
  const points = lookPoints(questions.length, looks)
  const verdicts: (VariantVerdict | undefined)[] = []
  // Texts of questions that were answered before this process count too.
  let shown = state.rows.filter(({ answers }) => answers.some(({ hit }) => hit)).length

  for (const [at, question] of questions.entries()) {
    signal.throwIfAborted()
    const row = known.get(question.id) ?? (await ask(question, at))
    rows.push(row)
    asking.onAsked(rows.length)
    await asking.look()
    if (points.includes(rows.length) && takeLook(rows.length === questions.length)) break
  }

  const results = variants.map((_, variant) => ({
    ...measuresOf(rows, byId, variant, seed),
    verdict: variant === 0 ? null : verdicts[variant]!,
  }))
  return { results, questions: rows.length, rows: rowsWorstFirst(rows, byId) }

  async function ask(question: ComparedQuestion, at: number): Promise<AnswerRow> {
    const judgements = soughtJudgements(question.judgements)
    const answers: (VariantAnswer & { hits: Retrieved[] })[] = []
    // Each variant is asked first as often as any other.
    for (let turn = 0; turn < parts.length; turn++) {
      const variant = (turn + at) % parts.length
      const { hits, ms } = await search(parts[variant]!, question)
      const { place, ndcg10, recall10 } = scoreQuestion(hits, judgements)
      answers[variant] = { place, ndcg10: ndcg10 ?? 0, recall10: recall10 ?? 0, ms, hit: null, hits }
    }
    const differs = answers.some(
      ({ place, ndcg10 }) => place !== answers[0]!.place || ndcg10 !== answers[0]!.ndcg10,
    )
    const isShown = shown < SHOWN_ROWS && (differs || questions.length <= SHOWN_ROWS)
    if (isShown) shown++
    const row: AnswerRow = {
      question: question.id,
      answers: answers.map(({ hits, ...answer }) => ({
        ...answer,
        hit: isShown ? shownHit(hits, answer.place) : null,
      })),
      tokens: meter.tokens,
    }
    meter.tokens = 0
    await state.noteRow(row)
    return row
  }

  async function search(part: StorePart, { text, history }: ComparedQuestion) {
    let report: RetrievalReport | undefined
    const [hits = []] = await retriever.retrieve(part, [text], history ? { history } : {}, signal, (made) => {
      report = made
    })
    const { embed: _, ...stages } = report!.stages
    const ms = Object.values(stages).reduce((sum, one) => sum + one, 0)
    return { hits, ms: Math.round(ms * 100) / 100 }
  }

  /** Whether all is told. A difference that an earlier look has told stays. */
  function takeLook(isLast: boolean): boolean {
    if (!isLast && rows.length < LEAST_QUESTIONS) return false
    const compared = variants.slice(1).map(({ name }, at) => ({
      name,
      differences: differencesOf(rows, byId, at + 1),
    }))
    const found = verdictsOf(compared, { baseline: variants[0]!.name, looks, seed })
    for (const [at, verdict] of found.entries()) if (isLast || tells(verdict)) verdicts[at + 1] ??= verdict
    return variants.slice(1).every((_, at) => verdicts[at + 1] !== undefined)
  }
}

const tells = ({ kind }: VariantVerdict): boolean => kind === 'better' || kind === 'worse'

function shownHit(hits: readonly Retrieved[], place: number | null) {
  const hit = hits[(place ?? 1) - 1]
  if (!hit) return null
  return {
    source: String(hit.metadata.source ?? ''),
    place: place ?? 1,
    score: Math.round(hit.score * 10_000) / 10_000,
    text: hit.pageContent.slice(0, SHOWN_TEXT),
  }
}
