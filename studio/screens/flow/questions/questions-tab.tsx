import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download, Play, Scale, Upload, WandSparkles } from 'lucide-react'
import { useState } from 'react'
import { useActions } from '../../../actions/use-actions.ts'
import button from '../../../parts/button.module.css'
import { Button } from '../../../parts/button.tsx'
import { partDone, progressFacts, stageText } from '../../../parts/job-text.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { countText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import type { Job } from '../../../server/jobs.ts'
import {
  exportQuestions,
  lastRun,
  listQuestions,
  listRuns,
  proposeQuestions,
} from '../../../server/questions.ts'
import { useOpenFlow } from '../open-flow.ts'
import { ImportDialog } from './import-dialog.tsx'
import { Proposals } from './proposals.tsx'
import { QuestionTable } from './question-table.tsx'
import { FEW_QUESTIONS, originsText } from './question-text.ts'
import { RatedAnswers } from './rated-answers.tsx'
import { RunFigures } from './run-figures.tsx'
import { saveFiles } from './save-files.ts'
import styles from './questions.module.css'
import { useEval } from './use-eval.ts'

/** All questions of a flow come at once: it has 2,000 at most. */
const PAGE = 1000
const RUNS = 100

/** The questions that are kept with the flow: what answers them, and how well the flow did in its last runs. */
export function QuestionsTab() {
  const { flow } = useOpenFlow()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isImporting, setImporting] = useState(false)
  const [isProposing, setProposing] = useState(false)
  const accepted = useQuery({
    queryKey: ['questions', flow.id, 'accepted'],
    queryFn: async () => {
      const first = await listQuestions(flow.id, { state: 'accepted', page: 1, limit: PAGE })
      const rest =
        first.total > PAGE
          ? await listQuestions(flow.id, { state: 'accepted', page: 2, limit: PAGE })
          : undefined
      return { ...first, data: [...first.data, ...(rest?.data ?? [])] }
    },
    placeholderData: keepPreviousData,
  })
  const run = useQuery({ queryKey: ['question-run', flow.id], queryFn: () => lastRun(flow.id) })
  const runs = useQuery({ queryKey: ['question-runs', flow.id], queryFn: () => listRuns(flow.id, RUNS) })
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['questions', flow.id] })
  }
  const work = useEval(flow.id, () => {
    void queries.invalidateQueries({ queryKey: ['question-run', flow.id] })
    void queries.invalidateQueries({ queryKey: ['question-runs', flow.id] })
  })
  const questions = accepted.data?.data ?? []
  const count = accepted.data?.counts.accepted ?? 0

  const propose = async () => {
    setProposing(true)
    try {
      const { numAdded } = await proposeQuestions(flow.id)
      if (numAdded === 0) tell('No new question could be made of the documents')
      else tell(`${countText(numAdded, 'question')} proposed`)
      await refresh()
    } catch (error) {
      complain('No question was proposed', messageOf(error))
    } finally {
      setProposing(false)
    }
  }
  const download = async () => {
    try {
      saveFiles(await exportQuestions(flow.id))
    } catch (error) {
      complain('The questions were not exported', messageOf(error))
    }
  }
  useActions(() => [
    ...(count > 0 && !work.isRunning
      ? [
          {
            id: 'ask the questions',
            label: 'Ask the questions',
            group: 'This flow',
            run: () => void work.start(),
          },
        ]
      : []),
    {
      id: 'compare variants',
      label: 'Compare variants',
      group: 'This flow',
      run: () => void navigate({ to: '/flows/$id/compare', params: { id: flow.slug } }),
    },
    { id: 'import questions', label: 'Import questions', group: 'This flow', run: () => setImporting(true) },
  ])

  return (
    <main className={styles.main} aria-label="Questions">
      <div className={styles.head}>
        <h2>{accepted.data ? countText(count, 'question') : 'Questions'}</h2>
        <span className={styles.quiet}>{originsText(questions)}</span>
        <div className={styles.actions}>
          <Button onClick={() => setImporting(true)}>
            <Upload aria-hidden="true" /> Import
          </Button>
          <Button onClick={() => void download()} disabled={count === 0}>
            <Download aria-hidden="true" /> Export
          </Button>
          <Button onClick={() => void propose()} disabled={isProposing}>
            <WandSparkles aria-hidden="true" /> {isProposing ? 'Proposing…' : 'Propose'}
          </Button>
          <Link
            className={`${button.button} ${button.plain}`}
            to="/flows/$id/compare"
            params={(now) => ({ id: now.id! })}
          >
            <Scale aria-hidden="true" /> Compare variants
          </Link>
          <Button look="main" onClick={() => void work.start()} disabled={count === 0 || work.isRunning}>
            <Play aria-hidden="true" /> Ask them all
          </Button>
        </div>
      </div>
      {work.refusal === undefined ? null : <Note kind="failure">{work.refusal}</Note>}
      {work.job || work.isRunning ? (
        <RunState job={work.job} isRunning={work.isRunning} onCancel={work.cancel} />
      ) : null}
      <LoadState of={accepted} what="The questions cannot be listed" />
      {accepted.data && count === 0 ? (
        <div className={styles.empty}>
          <h3>No questions yet</h3>
          <p>
            A question with its right answer shows whether a change of the flow made it better. Ask something,
            and mark the right hit with <kbd>g</kbd>; or import a list.
          </p>
          <Link
            className={`${button.button} ${button.plain}`}
            to="/flows/$id/ask"
            params={(now) => ({ id: now.id! })}
            search={{ view: 'search' }}
          >
            To Ask
          </Link>
        </div>
      ) : null}
      {count > 0 && count < FEW_QUESTIONS ? (
        <Note>
          Under {FEW_QUESTIONS} questions a difference of the means is mostly chance: look at single
          questions, not at the figures.
        </Note>
      ) : null}
      <LoadFailure
        error={run.error ?? runs.error}
        onAgain={() => Promise.all([run.refetch(), runs.refetch()])}
        what="The last run cannot be shown"
      />
      {run.data ? <RunFigures run={run.data} runs={runs.data?.data ?? []} /> : null}
      {count > 0 ? (
        <QuestionTable flowId={flow.id} questions={questions} run={run.data} onChange={refresh} />
      ) : null}
      <RatedAnswers flowId={flow.id} onChange={refresh} />
      <Proposals flowId={flow.id} count={accepted.data?.counts.proposed ?? 0} onChange={refresh} />
      {isImporting ? (
        <ImportDialog flowId={flow.id} onClose={() => setImporting(false)} onImported={refresh} />
      ) : null}
    </main>
  )
}

/** The eval that runs, or how the last one of this screen ended where it did not go well. */
function RunState({
  job,
  isRunning,
  onCancel,
}: {
  job: Job | undefined
  isRunning: boolean
  onCancel(): void
}) {
  if (isRunning) {
    const part = job && partDone(job)
    const text = job ? stageText(job) : 'Starting'
    return (
      <div className={styles.running} role="status">
        <progress aria-label={text} max={1} {...(part === undefined ? {} : { value: part })} />
        <span>{job ? [text, ...progressFacts(job)].join(' · ') : text}</span>
        <Button onClick={onCancel} disabled={!job}>
          Cancel
        </Button>
      </div>
    )
  }
  if (job?.state === 'cancelled') return <Note>The run was cancelled: nothing of it is kept.</Note>
  if (job?.state === 'failed')
    return <Note kind="failure">The questions were not asked: {job.error?.message ?? 'the run failed'}</Note>
  return null
}
