import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { Button } from '../../parts/button.tsx'
import { MainNav } from '../../parts/main-nav.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { dropOfRun, RunFilePicker } from '../../parts/run-file-picker.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { agoText, countText, millisecondsText, momentText, numberText } from '../../parts/units.ts'
import { type Execution, type ExecutionState, listExecutions } from '../../server/executions.ts'
import { listFlows } from '../../server/flows.ts'
import type { Run } from '../../server/runs.ts'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import styles from './execution-list.module.css'
import { type ExecutionSearch, filterOf, STATES, stateWord } from './execution-search.ts'
import { ExecutionView } from './execution-view.tsx'
import { RunFileView } from './run-file-view.tsx'

const PAGE = 50
/** How often the list is read again while a run goes on, in milliseconds. */
const WATCH_MS = 2000

/** The runs of flows, newest first, and the one that is open. */
export function ExecutionList() {
  const search = useSearch({ from: '/executions' })
  const navigate = useNavigate({ from: '/executions' })
  const { page = 1, open, ...rest } = search
  const filter = filterOf(rest)
  const [file, setFile] = useState<Run>()
  const flows = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const listed = useQuery({
    queryKey: ['executions', filter, page],
    queryFn: () => listExecutions(filter, page, PAGE),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.data.some((one) => one.state === 'INPROGRESS') ? WATCH_MS : false,
  })
  const { data } = listed
  const change = (more: Partial<ExecutionSearch>) =>
    void navigate({ search: (all) => ({ ...all, page: undefined, ...more }), replace: true })
  const names = new Map(flows.data?.map(({ id, name }) => [id, name]))
  const known = flows.data ?? []
  const pages = Math.ceil((data?.total ?? 0) / PAGE)
  const isFiltered = Object.values(rest).some((value) => value !== undefined)
  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <div className={styles.columns} data-open={open !== undefined || file !== undefined}>
        <main className={styles.main} {...dropOfRun(setFile)}>
          <div className={styles.head}>
            <h1>Executions</h1>
            <SearchBox
              label="Search questions"
              value={rest.q ?? ''}
              onChange={(q) => change({ q: q || undefined })}
            />
            <select
              aria-label="Flow"
              value={rest.flow ?? ''}
              onChange={(event) => change({ flow: event.target.value || undefined })}
            >
              <option value="">All flows</option>
              {rest.flow && !known.some(({ id, slug }) => [id, slug].includes(rest.flow!)) ? (
                <option value={rest.flow}>{names.get(rest.flow) ?? rest.flow}</option>
              ) : null}
              {known.map(({ id, slug, name }) => (
                <option key={id} value={rest.flow === slug ? slug : id}>
                  {name}
                </option>
              ))}
            </select>
            <select
              aria-label="State"
              value={rest.state ?? ''}
              onChange={(event) => change({ state: (event.target.value || undefined) as ExecutionState })}
            >
              <option value="">All states</option>
              {Object.entries(STATES).map(([state, word]) => (
                <option key={state} value={state}>
                  {word}
                </option>
              ))}
            </select>
            <label className={styles.day}>
              From
              <input
                type="date"
                value={rest.from ?? ''}
                onChange={(event) => change({ from: event.target.value || undefined })}
              />
            </label>
            <label className={styles.day}>
              to
              <input
                type="date"
                value={rest.to ?? ''}
                onChange={(event) => change({ to: event.target.value || undefined })}
              />
            </label>
            <RunFilePicker onRun={setFile} />
          </div>
          {listed.error || !data ? (
            <LoadState of={listed} what="The executions cannot be listed" />
          ) : data.total === 0 ? (
            <Nothing isFiltered={isFiltered} onAll={() => void navigate({ search: {}, replace: true })} />
          ) : (
            <>
              <ScrollBox className={styles.scroller}>
                <table className={styles.table}>
                  <thead>
                    <tr>
                      <th scope="col">State</th>
                      <th scope="col">Question</th>
                      <th scope="col">Flow</th>
                      <th scope="col">Started</th>
                      <th scope="col">Steps</th>
                      <th scope="col">Took</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.data.map((one) => (
                      <Row
                        key={one.id}
                        execution={one}
                        name={names.get(one.agentflowId)}
                        isOpen={one.id === open}
                      />
                    ))}
                  </tbody>
                </table>
              </ScrollBox>
              <p className={styles.pages}>
                {countText(data.total, 'execution')}
                {pages > 1 ? (
                  <>
                    <Button disabled={page === 1} onClick={() => change({ page: page - 1 })}>
                      Newer
                    </Button>
                    {numberText(page)} of {numberText(pages)}
                    <Button disabled={page >= pages} onClick={() => change({ page: page + 1 })}>
                      Older
                    </Button>
                  </>
                ) : null}
              </p>
            </>
          )}
        </main>
        {file ? (
          <RunFileView run={file} onClose={() => setFile(undefined)} />
        ) : open === undefined ? null : (
          <ExecutionView
            key={open}
            id={open}
            flowName={(flowId) => names.get(flowId)}
            onClose={() => void navigate({ search: (all) => ({ ...all, open: undefined }), replace: true })}
          />
        )}
      </div>
    </div>
  )
}

function Row({
  execution,
  name,
  isOpen,
}: {
  execution: Execution
  name: string | undefined
  isOpen: boolean
}) {
  const { id, agentflowId, title, state, createdDate, updatedDate, steps } = execution
  const flow = name ?? agentflowId
  const question = title || 'Without a question'
  const word = stateWord(execution)
  return (
    <tr data-open={isOpen}>
      <td>
        <span className={styles.state} data-state={state}>
          {word}
        </span>
      </td>
      <td className={styles.question}>
        <Link
          from="/executions"
          search={(all) => ({ ...all, open: id })}
          replace
          title={question}
          aria-current={isOpen ? 'true' : undefined}
          aria-label={`${question}, ${flow}, ${word}, ${momentText(createdDate)}`}
        >
          {question}
        </Link>
      </td>
      <td className={styles.flow} title={flow}>
        {flow}
      </td>
      <td title={momentText(createdDate)}>{agoText(createdDate)}</td>
      <td className={styles.number}>{numberText(steps)}</td>
      <td className={styles.number}>{millisecondsText(Date.parse(updatedDate) - Date.parse(createdDate))}</td>
    </tr>
  )
}

function Nothing({ isFiltered, onAll }: { isFiltered: boolean; onAll(): void }) {
  if (isFiltered)
    return (
      <div className={styles.empty}>
        <h2>No execution fits</h2>
        <p>No run has this flow, state and time, and these words in its question.</p>
        <Button onClick={onAll}>Show all</Button>
      </div>
    )
  return (
    <div className={styles.empty}>
      <h2>No question has been asked yet</h2>
      <p>
        Each answer of a flow leaves a run here, kept as long as its question: model calls, tool calls and
        searches with their times. Ask a flow to see the first one.
      </p>
      <Link to="/flows">To the flows</Link>
    </div>
  )
}
