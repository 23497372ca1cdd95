import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { MainNav } from '../../parts/main-nav.tsx'
import { kindText } from '../../parts/job-text.ts'
import { Pager } from '../../parts/pager.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { listFlows } from '../../server/flows.ts'
import { JOB_KINDS, JOB_STATES } from '../../server/jobs.ts'
import { getStats } from '../../server/stats.ts'
import { JobRow } from './job-row.tsx'
import { type JobSearch, readJobSearch } from '../../parts/job-search.ts'
import styles from './jobs-screen.module.css'
import { JOBS_PER_PAGE, useLiveJobs } from '../../parts/live-jobs.ts'
import { OpenJob } from './open-job.tsx'
import { loadPart } from '../../server/load-part.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { LoadState } from '../../parts/load-state.tsx'

const StatsCharts = lazy(() =>
  loadPart(() => import('../../charts/stats-charts.tsx')).then(({ StatsCharts: charts }) => ({
    default: charts,
  })),
)

/** The jobs of all flows, live. */
export function JobsScreen() {
  const search = useSearch({ from: '/jobs' })
  const navigate = useNavigate({ from: '/jobs' })
  const show = (next: Record<string, unknown>) => void navigate({ search: readJobSearch(next) })
  const { page = 1, job: opened, files, ...filters } = search
  const jobs = useLiveJobs(search)
  const flows = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const stats = useQuery({ queryKey: ['stats'], queryFn: () => getStats() })
  const names = new Map(flows.data?.map(({ id, name, slug }) => [id, { name, slug }]))
  const filtered = Object.keys(filters).length > 0
  const choose = (name: keyof JobSearch, value: string) =>
    show({ ...filters, [name]: value === '' ? undefined : value })
  const total = jobs.data?.total ?? 0
  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <main className={styles.main}>
        <div className={styles.head}>
          <h1>Jobs</h1>
          <select
            aria-label="Flow"
            value={filters.flow ?? ''}
            onChange={(event) => choose('flow', event.target.value)}
          >
            <option value="">All flows</option>
            {flows.data?.map(({ id, name, slug }) => (
              <option key={id} value={slug}>
                {name}
              </option>
            ))}
          </select>
          <select
            aria-label="Kind"
            value={filters.kind ?? ''}
            onChange={(event) => choose('kind', event.target.value)}
          >
            <option value="">All kinds</option>
            {JOB_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kindText({ kind })}
              </option>
            ))}
          </select>
          <select
            aria-label="State"
            value={filters.state ?? ''}
            onChange={(event) => choose('state', event.target.value)}
          >
            <option value="">All states</option>
            {JOB_STATES.map((state) => (
              <option key={state} value={state}>
                {state}
              </option>
            ))}
          </select>
        </div>
        <LoadState of={jobs} />
        {jobs.data && total === 0 && !filtered ? (
          <div className={styles.empty}>
            <h2>No jobs yet</h2>
            <p>
              An upsert, a preview or a reindex is a job. <Link to="/flows">Open a flow</Link> and press
              Upsert to load documents.
            </p>
          </div>
        ) : null}
        {jobs.data && total === 0 && filtered ? (
          <p className={styles.quiet}>
            No job matches.{' '}
            <button type="button" className={styles.textButton} onClick={() => show({})}>
              Show all jobs
            </button>
          </p>
        ) : null}
        {total > 0 ? (
          <>
            <div className={styles.tableBox}>
              <table className={styles.table} aria-label="Jobs">
                <thead>
                  <tr>
                    <th scope="col">Flow</th>
                    <th scope="col">Kind</th>
                    <th scope="col">State</th>
                    <th scope="col">Progress</th>
                    <th scope="col">Requested</th>
                    <th scope="col">Time</th>
                    <th scope="col" aria-label="Actions" />
                  </tr>
                </thead>
                <tbody>
                  {jobs.data!.data.map((job) => (
                    <JobRow
                      key={job.id}
                      job={job}
                      flow={names.get(job.flowId)}
                      isOpen={job.id === opened}
                      search={{ ...filters, ...(page === 1 ? {} : { page }), job: job.id }}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            <Pager
              page={page}
              limit={JOBS_PER_PAGE}
              total={total}
              of="jobs"
              onPage={(next) => show({ ...filters, page: next })}
            />
          </>
        ) : null}
        {opened === undefined ? null : (
          <OpenJob
            key={`${opened} ${files}`}
            id={opened}
            files={files}
            names={names}
            onClose={() => show({ ...filters, page })}
          />
        )}
        <LoadFailure error={stats.error} onAgain={stats.refetch} what="The figures cannot be shown" />
        {stats.data && stats.data.upserts.length + stats.data.queries.length > 0 && opened === undefined ? (
          <section aria-label="Figures of all flows" className={styles.figures}>
            <h2>Figures of all flows</h2>
            <Suspense fallback={null}>
              <StatsCharts stats={stats.data} />
            </Suspense>
          </section>
        ) : null}
      </main>
    </div>
  )
}
