import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { hasEnded, type Job, type JobFile, listJobFiles } from '../server/jobs.ts'
import { FailedReasons } from './failed-reasons.tsx'
import { ScrollBox } from './scroll-box.tsx'
import styles from './job-files.module.css'
import { fileStates, fileTimeText } from './job-text.ts'
import { Pager } from './pager.tsx'
import { numberText } from './units.ts'
import { LoadState } from './load-state.tsx'

const LIMIT = 50
/** How often the files of a running job are read again, in milliseconds. */
const REFRESH = 1000

type JobFilesProps = {
  job: Job
  /** The state of the files that are shown at first; all unless given. */
  state?: JobFile['state'] | undefined
  /** Whether the reasons of failed files come first; unless they are shown elsewhere. */
  reasons?: boolean
  /** The file that is open, and what opens one; without it files cannot be opened. */
  open?: string | undefined
  onOpen?: (name: string) => void
}

/** The files of a job with their states, searched by name, page by page; live while the job runs. */
export function JobFiles({ job, state: first, reasons = true, open, onOpen }: JobFilesProps) {
  const [page, setPage] = useState(1)
  const [state, setState] = useState<JobFile['state'] | ''>(first ?? '')
  const [name, setName] = useState('')
  const running = !hasEnded(job)
  const listed = useQuery({
    // The end of a job changes its files once more, and each attempt has its own.
    queryKey: ['job-files', job.id, job.attempt, job.state, state, name, page],
    queryFn: () =>
      listJobFiles(job.id, { state: state || undefined, file: name || undefined, page, limit: LIMIT }),
    placeholderData: keepPreviousData,
    refetchInterval: running ? REFRESH : false,
  })
  const { data } = listed
  const total = data?.total ?? 0
  const filtered = state !== '' || name !== ''
  if (data && total === 0 && !filtered) return null
  return (
    <>
      {reasons ? <FailedReasons job={job} /> : null}
      <section aria-label="Files" className={styles.files}>
        <div className={styles.head}>
          <h3>Files</h3>
          <label className={styles.search}>
            <Search aria-hidden="true" />
            <input
              type="search"
              aria-label="Search files"
              placeholder="Search"
              value={name}
              onChange={(event) => {
                setName(event.target.value)
                setPage(1)
              }}
            />
          </label>
          <select
            aria-label="State of files"
            value={state}
            onChange={(event) => {
              setState(event.target.value as JobFile['state'] | '')
              setPage(1)
            }}
          >
            <option value="">All states</option>
            {fileStates(running).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </div>
        <LoadState of={listed} />
        {data && total === 0 ? <p className={styles.quiet}>No file matches.</p> : null}
        {total > 0 ? (
          <ScrollBox className={styles.tableBox} aria-label="Table of files">
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  {['Chunks', 'Added', 'Updated', 'Skipped', 'Deleted', 'Time'].map((title) => (
                    <th key={title} scope="col" className={styles.number}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data!.data.map((file, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two files of a job may have the same name
                  <FileRow key={at} file={file} isOpen={open === file.name} onOpen={onOpen} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        ) : null}
        <Pager page={page} limit={LIMIT} total={total} of="files" onPage={setPage} />
      </section>
    </>
  )
}

type FileRowProps = { file: JobFile; isOpen: boolean; onOpen: ((name: string) => void) | undefined }

function FileRow({ file, isOpen, onOpen }: FileRowProps) {
  return (
    <tr data-open={isOpen}>
      <td className={styles.name}>
        {onOpen && file.chunks > 0 && file.state !== 'failed' ? (
          <button type="button" title={file.name} aria-expanded={isOpen} onClick={() => onOpen(file.name)}>
            {file.name}
          </button>
        ) : (
          <span title={file.name}>{file.name}</span>
        )}
        {file.reason === undefined ? null : <p className={styles.reason}>{file.reason}</p>}
        {file.outdated ? (
          <p className={styles.warning}>
            {file.outdated === 1
              ? '1 chunk of an earlier version is still found'
              : `${numberText(file.outdated)} chunks of earlier versions are still found`}
          </p>
        ) : null}
        {file.dropped ? (
          <p className={styles.aside}>Left out: {file.dropped.map(({ text }) => text).join(', ')}</p>
        ) : null}
        {file.warnings.map((reason) => (
          <p key={reason} className={styles.warning}>
            {reason}
          </p>
        ))}
      </td>
      <td>
        <span className={styles.state} data-state={file.state}>
          {file.state}
        </span>
      </td>
      {[file.chunks, file.added, file.updated, file.skipped, file.deleted].map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <td key={at} className={styles.number} data-zero={count === 0}>
          {numberText(count)}
        </td>
      ))}
      <td className={styles.number}>{fileTimeText(file.ms)}</td>
    </tr>
  )
}
