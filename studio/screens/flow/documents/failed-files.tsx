import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { agoText, countText, momentText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import {
  type FailedFile,
  forgetFailedFiles,
  listFailedFiles,
  retryFailedFiles,
} from '../../../server/failed-files.ts'
import { followJob, hasEnded, retryJob } from '../../../server/jobs.ts'
import { useUpserting } from '../upsert/upserting.tsx'
import styles from './failed-files.module.css'

const LIMIT = 20

const keyOf = (flow: string) => ['failed-files', flow]

/** A page of failed files with this in their names. */
export const useFailedFiles = (flow: string, search: string | undefined, page: number) =>
  useQuery({
    queryKey: [...keyOf(flow), search, page],
    queryFn: () => listFailedFiles(flow, { search, page, limit: LIMIT }),
    placeholderData: keepPreviousData,
  })

/** The files that could not be loaded, each with its reason and what can be done. Nothing where there are none. */
export function FailedFiles({ flow, search }: { flow: string; search: string | undefined }) {
  const [asked, setAsked] = useState({ search, page: 1 })
  const page = asked.search === search ? asked.page : 1
  const { data, error, refetch } = useFailedFiles(flow, search, page)
  const { upsert } = useUpserting()
  const upserts = upsert.sent !== undefined || (upsert.job !== undefined && !hasEnded(upsert.job))
  const queries = useQueryClient()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  /** Reads the lists anew after something became of these files; others may still be loaded. */
  const refresh = async (files: readonly FailedFile[]) => {
    const ended = new Set(files.map(({ file }) => file))
    setBusy((now) => new Set([...now].filter((file) => !ended.has(file))))
    await Promise.all(
      [keyOf(flow), ['documents'], ['flows']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  }

  /** Follows a job that loads files again. */
  const follow = (jobId: string, files: readonly FailedFile[]) =>
    followJob(jobId, (job) => {
      if (!hasEnded(job)) return
      const { failed, done } = job.files
      if (failed > 0 || job.state !== 'done')
        complain(
          failed > 0 ? `${countText(failed, 'file')} failed again` : 'The files were not loaded',
          job.error?.message,
        )
      else tell(`${countText(done, 'file')} loaded`)
      void refresh(files)
    })

  async function again(files: FailedFile[], password?: string): Promise<void> {
    setBusy(new Set(files.map(({ file }) => file)))
    const begin = async (some: readonly FailedFile[], job: () => Promise<string>) => {
      try {
        follow(await job(), some)
      } catch (failure) {
        complain('The files were not tried again', messageOf(failure))
        await refresh(some)
      }
    }
    const kept = files.filter((file) => file.again === 'kept')
    const names = kept.map(({ file }) => file)
    if (kept.length > 0) await begin(kept, async () => (await retryFailedFiles(flow, names, password)).jobId)
    const jobs = Map.groupBy(
      files.filter((file) => file.again === 'job'),
      ({ jobId }) => jobId,
    )
    for (const [jobId, some] of jobs) await begin(some, async () => (await retryJob(jobId, password)).id)
  }

  async function forget(row: FailedFile): Promise<void> {
    await forgetFailedFiles(flow, [row.file]).catch((failure: unknown) =>
      complain(`${row.file} stays in the list`, messageOf(failure)),
    )
    await refresh([row])
  }

  if (error) return <LoadFailure error={error} onAgain={refetch} what="The failed files cannot be listed" />
  if (!data || data.total === 0) return null
  const ready = data.data.filter((row) => (row.again === 'kept' || row.again === 'job') && !isLocked(row))
  return (
    <section className={styles.failed} aria-label="Failed files">
      <div className={styles.head}>
        <h3>{countText(data.total, 'file')} failed</h3>
        {ready.length > 1 ? (
          <Button disabled={busy.size > 0} onClick={() => void again(ready)}>
            <RotateCcw aria-hidden="true" />
            Try these {ready.length} again
          </Button>
        ) : null}
      </div>
      <ul>
        {data.data.map((row) => (
          <li key={row.file}>
            <div className={styles.about}>
              <strong title={row.file}>{row.file}</strong>
              <span>{row.reason}</span>
              <span className={styles.facts}>
                <Link
                  to="/flows/$id/history"
                  params={{ id: flow }}
                  search={{ record: row.jobId, files: 'failed' }}
                  title={momentText(row.failedAt)}
                >
                  {agoText(row.failedAt)}
                </Link>
                {row.olderChunks > 0
                  ? ` · ${countText(row.olderChunks, 'chunk')} of an earlier version are still found`
                  : null}
              </span>
            </div>
            <Again
              row={row}
              disabled={busy.size > 0}
              upserts={upserts}
              onAgain={(password) => void again([row], password)}
              onUpsert={(file, password) => {
                void upsert.start({
                  files: file ? [{ file, path: row.file }] : [],
                  stopNodeId: undefined,
                  password,
                })
              }}
            />
            <Button square look="quiet" aria-label={`Forget ${row.file}`} onClick={() => void forget(row)}>
              <X />
            </Button>
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        limit={LIMIT}
        total={data.total}
        of="failed files"
        onPage={(next) => setAsked({ search, page: next })}
      />
    </section>
  )
}

/** Whether a password would open it: only PDFs are opened with one. */
const isLocked = ({ code, file }: FailedFile) => code === 'file_encrypted' && /\.pdf$/i.test(file)

type AgainProps = {
  row: FailedFile
  disabled: boolean
  /** Whether an upsert of this page is under way: it follows one at a time. */
  upserts: boolean
  /** From what the server has. */
  onAgain(password: string | undefined): void
  /** With the file, or without one where the flow finds it. */
  onUpsert(file: File | undefined, password: string | undefined): void
}

/** Tries a file again. A file that the server has not is asked for, and the password of a file that is protected by one. */
function Again({ row, disabled, upserts, onAgain, onUpsert }: AgainProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const { file, again } = row
  const locked = isLocked(row)
  const password = locked && typed !== '' ? typed : undefined
  const isUpsert = again === 'file' || again === 'upsert'
  const isReady = !disabled && !(isUpsert && upserts) && (!locked || password !== undefined)
  const press = () =>
    again === 'file'
      ? picker.current?.click()
      : again === 'upsert'
        ? onUpsert(undefined, password)
        : onAgain(password)
  return (
    <>
      {locked ? (
        <input
          type="password"
          className={styles.password}
          aria-label={`Password of ${file}`}
          placeholder="Password"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isReady) press()
          }}
        />
      ) : null}
      <Button
        disabled={!isReady}
        aria-label={`${again === 'file' ? 'Try again…' : 'Try again'} ${file}`}
        title={again === 'file' ? 'The file is not kept: choose it again' : undefined}
        onClick={press}
      >
        <RotateCcw aria-hidden="true" />
        {again === 'file' ? 'Try again…' : 'Try again'}
      </Button>
      {again === 'file' ? (
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={`Choose ${file}`}
          onChange={(event) => {
            const [chosen] = event.target.files ?? []
            event.target.value = ''
            if (chosen) onUpsert(chosen, password)
          }}
        />
      ) : null}
    </>
  )
}
