import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Button } from '../../../parts/button.tsx'
import { JobFiles } from '../../../parts/job-files.tsx'
import { buttonText } from '../../../parts/job-text.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { NotLoaded } from '../../../parts/not-loaded.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { agoText, momentText, numberText } from '../../../parts/units.ts'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import { getJob, hasEnded } from '../../../server/jobs.ts'
import { getStats } from '../../../server/stats.ts'
import {
  getPastUpsert,
  listPastUpserts,
  type PastUpsert,
  removePastUpserts,
} from '../../../server/upsert-history.ts'
import { useOpenFlow } from '../open-flow.ts'
import { recordOf } from '../../../parts/record.ts'
import { RecordCounts } from '../../../parts/record-counts.tsx'
import { useUpserting } from '../upsert/upserting.tsx'
import { type HistorySearch, pastCounts, usedNodes } from './history-text.ts'
import styles from './history-tab.module.css'
import { OutdatedCount, outdatedOf } from './outdated-count.tsx'
import { loadPart } from '../../../server/load-part.ts'

const LIMIT = 25
const StatsCharts = lazy(() =>
  loadPart(() => import('../../../charts/stats-charts.tsx')).then(({ StatsCharts: charts }) => ({
    default: charts,
  })),
)

/** The upserts of the flow: figures over time, all past upserts, and the one that is open. */
export function HistoryTab() {
  const { flow } = useOpenFlow()
  const { page = 1, record, files } = useSearch({ from: '/flows/$id/history' })
  const navigate = useNavigate({ from: '/flows/$id/history' })
  const show = (next: HistorySearch) => void navigate({ search: next })
  const { upsert, setOpened } = useUpserting()
  const running = upsert.job && !hasEnded(upsert.job) ? upsert.job : undefined
  const stats = useQuery({ queryKey: ['stats', flow.id], queryFn: () => getStats(flow.id) })
  const past = useQuery({
    queryKey: ['past-upserts', flow.id, page],
    queryFn: () => listPastUpserts(flow.id, page, LIMIT),
    placeholderData: keepPreviousData,
  })
  const rows = past.data?.data ?? []
  return (
    <main className={styles.main} aria-label="History">
      <div className={styles.head}>
        <h2>Upserts</h2>
        <Link to="/jobs" search={{ flow: flow.slug }}>
          Jobs of this flow
        </Link>
      </div>
      {running ? (
        <button type="button" className={styles.running} onClick={() => setOpened('record')}>
          <span>An upsert is running</span>
          <span>{buttonText(running)}</span>
        </button>
      ) : null}
      <LoadState of={past} />
      {past.data?.total === 0 ? (
        <div className={styles.empty}>
          <h3>No upserts yet</h3>
          <p>Press Upsert at the top right to load documents. Each upsert then has a row here.</p>
        </div>
      ) : null}
      {past.data && past.data.total > 0 ? (
        <>
          <LoadFailure error={stats.error} onAgain={stats.refetch} />
          {stats.data ? (
            <Suspense fallback={null}>
              <StatsCharts stats={stats.data} />
            </Suspense>
          ) : null}
          <div className={styles.list}>
            <div className={styles.tableBox}>
              <table className={styles.table} aria-label="Upserts">
                <thead>
                  <tr>
                    <th scope="col">Date</th>
                    <th scope="col">Outcome</th>
                    {['Added', 'Updated', 'Skipped', 'Deleted', 'Failed', 'Empty'].map((title) => (
                      <th key={title} scope="col" className={styles.number}>
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <PastRow
                      key={row.id}
                      row={row}
                      isOpen={record === row.id || record === row.jobId}
                      page={page}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            <Pager
              page={page}
              limit={LIMIT}
              total={past.data.total}
              of="upserts"
              onPage={(next) => show(next === 1 ? {} : { page: next })}
            />
          </div>
        </>
      ) : null}
      {record === undefined ? null : (
        <OpenRecord
          key={`${record} ${files}`}
          files={files}
          flowId={flow.id}
          record={record}
          onClose={() => show(page === 1 ? {} : { page })}
        />
      )}
    </main>
  )
}

function PastRow({ row, isOpen, page }: { row: PastUpsert; isOpen: boolean; page: number }) {
  const { error, counts } = pastCounts(row)
  const [failed = 0, empty = 0] = counts.slice(4)
  return (
    <tr data-open={isOpen}>
      <th scope="row">
        <Link
          to="/flows/$id/history"
          params={(now) => ({ id: now.id! })}
          search={{ ...(page === 1 ? {} : { page }), record: row.id }}
          aria-current={isOpen ? 'true' : undefined}
          title={momentText(row.date)}
        >
          {momentText(row.date)}
        </Link>
        <span className={styles.ago}>{agoText(row.date)}</span>
      </th>
      <td className={styles.outcome}>
        {error === undefined && failed + empty > 0 ? (
          <Link
            to="/flows/$id/history"
            params={(now) => ({ id: now.id! })}
            search={{
              ...(page === 1 ? {} : { page }),
              record: row.id,
              files: failed > 0 ? 'failed' : 'empty',
            }}
          >
            <NotLoaded failed={failed} empty={empty} />
          </Link>
        ) : error === undefined ? (
          'done'
        ) : (
          <span className={styles.failed} title={error.message}>
            {error.code === 'cancelled' ? 'cancelled' : `failed: ${error.message}`}
          </span>
        )}
        {error === undefined ? <OutdatedCount result={row.result} /> : null}
      </td>
      {counts.map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <td key={at} className={styles.number} data-zero={!count}>
          {count === undefined ? '–' : numberText(count)}
        </td>
      ))}
    </tr>
  )
}

type OpenRecordProps = {
  flowId: string
  record: string
  /** Which files are shown at first. */
  files: HistorySearch['files']
  onClose(): void
}

function OpenRecord({ flowId, record, files, onClose }: OpenRecordProps) {
  const queries = useQueryClient()
  const past = useQuery({
    queryKey: ['past-upserts', flowId, 'one', record],
    queryFn: () => getPastUpsert(flowId, record),
  })
  const jobId = past.data?.jobId
  const job = useQuery({
    queryKey: ['job', jobId],
    queryFn: () => getJob(jobId!),
    enabled: typeof jobId === 'string',
  })
  const jobIsGone = job.error instanceof ServerFailure && job.error.status === 404
  const result = job.data && recordOf(job.data)
  const section = useRef<HTMLElement>(null)
  const loaded = past.data !== undefined && !job.isLoading
  useEffect(() => {
    if (loaded) section.current?.scrollIntoView({ block: 'start' })
  }, [loaded])
  const remove = async () => {
    try {
      await removePastUpserts([past.data!.id])
      tell('The row was removed from the history; its chunks stay')
      onClose()
      await queries.invalidateQueries({ queryKey: ['past-upserts', flowId] })
    } catch (error) {
      complain('The row was not removed', messageOf(error))
    }
  }
  if (past.error || !past.data) return <LoadState of={past} />
  const { error, counts } = pastCounts(past.data)
  const [numAdded = 0, numUpdated = 0, numSkipped = 0, numDeleted = 0, numFailed = 0, numEmpty = 0] = counts
  const kept = {
    ...{ numAdded, numUpdated, numSkipped, numDeleted, numFailed, numEmpty },
    ...{ numOutdated: outdatedOf(past.data.result), files: [], warnings: [] },
  }
  return (
    <section ref={section} className={styles.record} aria-label="Upsert record">
      <div className={styles.head}>
        <h2>Upsert of {momentText(past.data.date)}</h2>
        <Button look="quiet" onClick={() => void remove()}>
          <Trash2 aria-hidden="true" />
          Remove from the history
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
      {error === undefined ? (
        <RecordCounts record={result ?? kept} job={job.data} />
      ) : (
        <Note kind={error.code === 'cancelled' ? 'info' : 'failure'}>
          {error.code === 'cancelled' ? 'The upsert was cancelled. Nothing of it was stored.' : error.message}
        </Note>
      )}
      {job.data ? (
        <JobFiles key={job.data.id} job={job.data} state={files} reasons={error !== undefined} />
      ) : null}
      <LoadFailure
        error={jobIsGone ? null : job.error}
        onAgain={job.refetch}
        what="The files of this upsert cannot be listed"
      />
      {jobIsGone ? <p className={styles.quiet}>The files of an upsert are listed for seven days.</p> : null}
      <section aria-label="Nodes with the values of this upsert" className={styles.nodes}>
        <h3>Nodes with the values of this upsert</h3>
        {usedNodes(past.data).map(({ id, label, values }) => (
          <details key={id} className={styles.node}>
            <summary>
              <strong>{label}</strong> <code>{id}</code>
              <span className={styles.values}>
                {values.map(({ name, value }) => `${name} ${value}`).join(' · ') || 'defaults'}
              </span>
            </summary>
            <dl>
              {values.map(({ name, label: title, value }) => (
                <div key={name}>
                  <dt title={name}>{title}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        ))}
      </section>
    </section>
  )
}
