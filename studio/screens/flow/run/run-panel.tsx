import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Loading } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { saveRun } from '../../../parts/run-file.ts'
import { dropOfRun, RunFilePicker } from '../../../parts/run-file-picker.tsx'
import { SpanBody, TimedSpans } from '../../../parts/timed-spans.tsx'
import { complain } from '../../../parts/toast.tsx'
import { agoText, countText, millisecondsText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import { listRuns, queryRun, type Run, type RunSummary } from '../../../server/runs.ts'
import { useEditor } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { RunAgain } from './run-again.tsx'
import styles from './run-panel.module.css'
import { runStateWord } from '../../../parts/run-words.ts'
import { stepTowards } from './run-at-step.ts'
import { useShownRun } from './shown-run.tsx'

/** How often the list of runs is read again while the panel is open, in milliseconds. */
const WATCH_MS = 3000

/** Earlier runs of the flow, the steps of the chosen one on one time axis, and what can be done with it. */
export function RunPanel() {
  const { flow } = useOpenFlow()
  const shown = useShownRun()
  const { run, id, error, isFile, isOpen, setOpen, choose, openFile, step, setStep } = shown
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) box.current?.focus()
  }, [isOpen])
  const listed = useQuery({
    queryKey: ['runs', flow.id],
    queryFn: () => listRuns(flow.id),
    enabled: isOpen,
    staleTime: 0,
    refetchInterval: WATCH_MS,
  })
  const runs = listed.data
  if (!isOpen) return null
  const close = () => {
    setOpen(false)
    choose(undefined)
    document.querySelector<HTMLElement>('[data-run-button]')?.focus()
  }
  const go = (by: 1 | -1) => run && setStep(stepTowards(run, step, by))
  return (
    <section
      ref={box}
      tabIndex={-1}
      className={styles.panel}
      aria-label="This run"
      onKeyDown={(event) => {
        const isText = event.target instanceof Element && event.target.matches('textarea, input')
        if (event.key === 'Escape') close()
        else if (isText) return
        else if (event.altKey && event.key === 'ArrowRight') go(1)
        else if (event.altKey && event.key === 'ArrowLeft') go(-1)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      {...dropOfRun(openFile)}
    >
      <header className={styles.head}>
        <h2>This run</h2>
        <select
          aria-label="Run"
          value={isFile ? 'file' : (id ?? '')}
          onChange={(event) => choose(event.target.value || undefined)}
        >
          <option value="">{runs?.length === 0 ? 'No run yet' : 'Choose a run'}</option>
          {isFile ? (
            <option value="file">
              {run?.kind === 'query' ? 'Search' : 'From a file'}: {run?.title}
            </option>
          ) : null}
          {known(runs ?? [], isFile ? undefined : run).map((one) => (
            <option key={one.id} value={one.id}>
              {optionText(one)}
            </option>
          ))}
        </select>
        <Button
          look="quiet"
          square
          aria-label="Step before (Alt ←)"
          disabled={!run?.spans.length}
          onClick={() => go(-1)}
        >
          <ChevronLeft aria-hidden="true" />
        </Button>
        <span className={styles.place} aria-live="polite">
          {placeText(run, step)}
        </span>
        <Button
          look="quiet"
          square
          aria-label="Next step (Alt →)"
          disabled={!run?.spans.length}
          onClick={() => go(1)}
        >
          <ChevronRight aria-hidden="true" />
        </Button>
        <form
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault()
            const query = new FormData(event.currentTarget).get('query')
            if (typeof query === 'string' && query.trim() !== '')
              queryRun(flow.id, query).then(openFile, (failure: unknown) =>
                complain('The search failed', messageOf(failure)),
              )
          }}
        >
          <input
            type="search"
            name="query"
            aria-label="Search and show the run"
            placeholder="Search and show"
          />
        </form>
        <Button look="quiet" disabled={!run} onClick={() => run && saveRun(run)}>
          <Download aria-hidden="true" /> Share
        </Button>
        <RunFilePicker onRun={openFile} />
        <Button look="quiet" square aria-label="Close the run" className={styles.close} onClick={close}>
          <X aria-hidden="true" />
        </Button>
      </header>
      {error ? <Note kind="warning">{messageOf(error)}</Note> : null}
      <LoadFailure error={listed.error} onAgain={listed.refetch} what="The runs cannot be listed" />
      {run ? (
        <Steps run={run} />
      ) : id === undefined ? (
        <p className={styles.quiet}>
          {runs?.length === 0
            ? 'Load documents or ask the flow a question: what it does is shown here and on the nodes.'
            : 'Choose a run: its counts stand on the nodes and lines, its steps here. Or drop the file of a shared run.'}
        </p>
      ) : error ? null : (
        <Loading />
      )}
    </section>
  )
}

function Steps({ run }: { run: Run }) {
  const { flow } = useOpenFlow()
  const { isFile, step, setStep, choose } = useShownRun()
  const editor = useEditor()
  const { state, drawing, failure, spans, omittedSpans, ms, startedAt } = run
  const elapsed = ms ?? Math.max(0, Date.now() - Date.parse(startedAt))
  const isElsewhere = isFile && run.flow.id !== flow.id
  return (
    <>
      <p className={styles.facts}>
        <strong data-state={state}>{runStateWord(state)}</strong>
        {ms === null ? null : <span>{millisecondsText(ms)}</span>}
        <span>{run.title}</span>
        <span>{run.flow.name}</span>
      </p>
      {failure && failure.code !== 'cancelled' ? (
        <Note kind="failure">
          {failure.message} <code>{failure.code}</code>
        </Note>
      ) : null}
      {drawing === 'changed' && !isElsewhere ? (
        <Note kind="warning">
          The drawing has changed since this run. Nodes and lines that are gone now are in the steps alone.
        </Note>
      ) : null}
      {isElsewhere ? (
        <Note>This run is of another flow, {run.flow.name}: only nodes with the same ids show it.</Note>
      ) : null}
      {spans.length === 0 ? (
        <p className={styles.quiet}>
          {state === 'INPROGRESS' ? 'It has not done anything yet.' : 'The record has no steps.'}
        </p>
      ) : (
        <TimedSpans
          key={run.id}
          spans={spans}
          omittedSpans={omittedSpans}
          elapsed={elapsed}
          current={step}
          onOpen={({ id, nodeId }) => {
            setStep(id)
            const { graph, select } = editor.getState()
            if (graph.nodes.some((node) => node.id === nodeId)) select([nodeId!])
          }}
          bodyOf={(span) => (
            <>
              <SpanBody span={span} />
              {isFile || run.kind !== 'answer' || state === 'INPROGRESS' ? null : (
                <RunAgain run={run} span={span} onDone={choose} />
              )}
            </>
          )}
        />
      )}
    </>
  )
}

/** The listed runs, with the shown one where it is older than they are. */
const known = (runs: readonly RunSummary[], run: Run | undefined): readonly RunSummary[] =>
  !run || runs.some(({ id }) => id === run.id) ? runs : [run, ...runs]

const optionText = ({ title, state, startedAt }: RunSummary): string =>
  `${title}, ${runStateWord(state)}, ${agoText(startedAt)}`

function placeText(run: Run | undefined, step: number | undefined): string {
  const count = run?.spans.length ?? 0
  if (count === 0) return ''
  const at = run!.spans.findIndex(({ id }) => id === step)
  return at < 0 ? `${countText(count, 'step')} in all` : `step ${at + 1} of ${count}`
}
