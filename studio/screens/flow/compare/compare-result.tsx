import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { setInputs } from '../../../drawing/commands.ts'
import type { Json } from '../../../drawing/flow-file.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { countText, millisecondsText, numberText } from '../../../parts/units.ts'
import type { ComparedVariant, ComparisonOutcome } from '../../../server/compare.ts'
import { useEditor } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './compare.module.css'
import { CompareRows } from './compare-rows.tsx'
import {
  changesText,
  countsOfRows,
  differenceText,
  ndcgTexts,
  ROW_KINDS,
  rowsOf,
  shareText,
} from './compare-text.ts'

/** The most questions of a list. */
const LISTED = 200

/** One variant beside the baseline: four figures, the verdict, and the questions, worse answers first. */
export function CompareResult({ outcome }: { outcome: ComparisonOutcome }) {
  const search = useSearch({ from: '/flows/$id/compare' })
  const navigate = useNavigate({ from: '/flows/$id/compare' })
  const at = search.variant !== undefined && search.variant < outcome.variants.length ? search.variant : 1
  const [baseline, variant] = [outcome.variants[0]!, outcome.variants[at]!]
  const shown = search.show ?? 'all'
  const counts = countsOfRows(outcome, at)
  const rows = rowsOf(outcome, at, shown)
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...next }, resetScroll: false, replace: true })
  return (
    <section className={styles.result} aria-label="Result">
      {outcome.variants.length > 2 ? (
        <fieldset className={styles.chips} aria-label="Variants">
          {outcome.variants.slice(1).map(({ name, verdict }, place) => (
            <button
              key={name}
              type="button"
              className={styles.chip}
              data-kind={verdict?.kind === 'better' || verdict?.kind === 'worse' ? verdict.kind : 'same'}
              aria-pressed={place + 1 === at}
              onClick={() => change({ variant: place + 1, question: undefined as never })}
            >
              {name}
            </button>
          ))}
        </fieldset>
      ) : null}
      <div className={styles.verdict} data-kind={variant.verdict?.kind} role="status">
        <strong>{variant.verdict?.sentence}</strong>
        <UseThis variant={variant} />
      </div>
      <p className={styles.quiet}>
        {baseline.name} → {variant.name}
        {changesText(variant) === '' ? '' : `: ${changesText(variant)}`}
        {` · ${countText(outcome.questions, 'question')}`}
        {outcome.questions < outcome.planned
          ? ` of ${numberText(outcome.planned)}, an earlier look has told all`
          : ''}
        {outcome.resumed ? ' · went on after its server was gone' : ''}
      </p>
      <Remarks outcome={outcome} />
      <Figures baseline={baseline} variant={variant} />
      <fieldset className={styles.chips} aria-label="Questions that are shown">
        {ROW_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            className={styles.chip}
            data-kind={kind}
            aria-pressed={shown === kind}
            onClick={() => change({ show: kind })}
          >
            {LABELS[kind]} {numberText(counts[kind])}
          </button>
        ))}
      </fieldset>
      <CompareRows
        rows={rows.slice(0, LISTED)}
        variant={at}
        names={[baseline.name, variant.name]}
        opened={search.question}
        onOpen={(question) => change({ question: question as never })}
      />
      {rows.length > LISTED ? (
        <p className={styles.quiet}>and {countText(rows.length - LISTED, 'question')} more</p>
      ) : null}
    </section>
  )
}

const LABELS = { all: 'All', worse: 'Worse', better: 'Better', same: 'Same', neither: 'Found by neither' }

function Figures({ baseline, variant }: { baseline: ComparedVariant; variant: ComparedVariant }) {
  const measures = [
    ['Right answer first', 'first'],
    ['Right answers in the first 10', 'recall10'],
  ] as const
  const shares = measures.map(([label, name]) => ({
    label,
    value: `${shareText(baseline[name].value)} → ${shareText(variant[name].value)}`,
    ...differenceText(variant[name]),
  }))
  const figures = [...shares, { label: 'nDCG@10', ...ndcgTexts(baseline, variant) }]
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, text, isCertain }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd className={styles.value}>{value}</dd>
          <dd className={styles.quiet}>
            {text}
            {isCertain ? null : <strong> · not yet certain</strong>}
          </dd>
        </div>
      ))}
      <div className={styles.figure}>
        <dt>Time of a query, p50 · chunks</dt>
        <dd className={styles.value}>
          {timeOf(baseline)} → {timeOf(variant)}
        </dd>
        <dd className={styles.quiet}>
          {numberText(baseline.chunks)} → {countText(variant.chunks, 'chunk')}, {numberText(variant.tokens)}{' '}
          tokens
          {variant.index === baseline.index ? ', one index' : ''}
        </dd>
      </div>
    </dl>
  )
}

const timeOf = ({ p50 }: ComparedVariant): string => (p50 === null ? '–' : millisecondsText(p50))

function Remarks({ outcome }: { outcome: ComparisonOutcome }) {
  const { documents, uncounted, variants } = outcome
  const failed = variants.filter((one) => one.failed > 0)
  return (
    <>
      {documents.missing.count > 0 ? (
        <Note kind="warning">
          {countText(documents.missing.count, 'document was', 'documents were')} left out, since neither file
          nor text is kept: {documents.missing.names.join(', ')}
        </Note>
      ) : null}
      {failed.map(({ name, failed: count }) => (
        <Note key={name} kind="warning">
          {countText(count, 'document')} could not be loaded for {name}
        </Note>
      ))}
      {uncounted.length > 0 ? (
        <Note>
          {countText(uncounted.length, 'question was', 'questions were')} not asked: nothing among the
          documents is judged right for {uncounted.length === 1 ? 'it' : 'them'}.
        </Note>
      ) : null}
    </>
  )
}

/** Makes the variant the draft of the flow, and shows it on the canvas. */
function UseThis({ variant }: { variant: ComparedVariant }) {
  const { id } = useParams({ from: '/flows/$id/compare' })
  const editor = useEditor()
  const { saving } = useOpenFlow()
  const navigate = useNavigate()
  const { changes, revision, ownDrawing } = variant
  if (changes.length === 0 && revision === null && !ownDrawing) return null
  const use = () => {
    if (revision !== null && changes.length === 0)
      return void navigate({ to: '/flows/$id/revisions', params: { id }, search: { n: revision } })
    const { graph, run } = editor.getState()
    for (const { nodeId, input, label, to } of changes) {
      const node = graph.nodes.find((one) => one.id === nodeId)
      if (node) run(setInputs(node, { [input]: to as Json }, { path: input, label }), [nodeId])
    }
    if (changes.length > 0) void saving.saveAsDraft()
    const [first] = changes
    void navigate({ to: '/flows/$id', params: { id }, search: first ? { node: first.nodeId } : {} })
  }
  return (
    <Button look="main" onClick={use}>
      Use this
    </Button>
  )
}
