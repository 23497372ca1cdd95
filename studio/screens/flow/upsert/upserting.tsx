import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ChosenFile } from '../../../parts/chosen-files.ts'
import { complain, tell } from '../../../parts/toast.tsx'
import { countText } from '../../../parts/units.ts'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import {
  cancelJob,
  followJob,
  getJob,
  hasEnded,
  type Job,
  latestUpsert,
  retryJob,
} from '../../../server/jobs.ts'
import { startRefresh } from '../../../server/refresh.ts'
import { startDryRun, startUpsert } from '../../../server/upserts.ts'
import { recordOf } from '../../../parts/record.ts'

/** What an upsert or a preview loads. */
export type LoadRequest = {
  files: readonly ChosenFile[]
  stopNodeId: string | undefined
  /** Opens PDFs that are protected by one. */
  password?: string | undefined
  /** Loads again what was loaded with other settings, instead of files. */
  refresh?: boolean
  /** The drawing with its unsaved changes, for a preview of it. */
  flowData?: string | undefined
  /** Previews the draft of the flow. */
  draft?: boolean | undefined
}

/** A job of the open flow that this page has started or found. */
export type FollowedJob = {
  job: Job | undefined
  /** What was started here last. */
  request: LoadRequest | undefined
  /** The id of a job that had ended before this page found it: nothing is shown of it until it is asked for. */
  earlier: string | undefined
  /** The part of the files that has been sent, from 0 to 1; undefined while none is sent. */
  sent: number | undefined
  /** Why the job did not start. */
  refusal: string | undefined
  start(request: LoadRequest): Promise<void>
  /** Ends the sending or the job; nothing of it becomes visible. */
  cancel(): void
  retry(): void
  /** Forgets the job. */
  clear(): void
}

/** What the dialog begins with: the files to load, or the record of the last upsert. */
export type UpsertDialogStart = 'files' | 'record'

export type Upserting = {
  /** The newest upsert of the flow: it continues when the dialog is closed, and is found again when the page is loaded anew. */
  upsert: FollowedJob
  /** The dry run that the dialog shows. */
  preview: FollowedJob
  /** The files that were chosen; they stay while the dialog is closed. */
  files: ChosenFile[]
  setFiles(files: ChosenFile[]): void
  /** Undefined while the dialog is closed. */
  opened: UpsertDialogStart | undefined
  setOpened(start: UpsertDialogStart | undefined): void
}

const UpsertingContext = createContext<Upserting | undefined>(undefined)

/** The upsert of the open flow. @throws Error outside of a flow screen */
export function useUpserting(): Upserting {
  const upserting = useContext(UpsertingContext)
  if (!upserting) throw new Error('there is no open flow here')
  return upserting
}

/** Follows the upsert of the open flow, for the green button, its dialog and the nodes of the canvas. */
export function UpsertingProvider({ flowId, children }: { flowId: string; children: ReactNode }) {
  const queries = useQueryClient()
  const [opened, setOpened] = useState<UpsertDialogStart>()
  const [files, setFiles] = useState<ChosenFile[]>([])
  const upsert = useFollowedJob(
    ({ files: chosen, stopNodeId, password, refresh }, sending) =>
      refresh
        ? startRefresh(flowId, stopNodeId)
        : startUpsert({ flowId, files: chosen, stopNodeId, password, ...sending }),
    'The upsert',
    (job) => {
      for (const queryKey of [
        ['flow-settings', flowId],
        ['flows'],
        ['past-upserts', flowId],
        ['stats', flowId],
        ['load-comparison', flowId],
        ['documents'],
        ['failed-files'],
      ])
        void queries.invalidateQueries({ queryKey })
      if (job.state === 'done') setFiles([])
      if (opened === undefined) tellEnd(job, () => setOpened('record'))
    },
  )
  const preview = useFollowedJob(
    ({ files: chosen, stopNodeId, flowData, draft, refresh }, sending) =>
      startDryRun({ flowId, files: chosen, stopNodeId, flowData, draft, refresh, ...sending }),
    'The preview',
    () => {},
  )
  const found = useEffectEvent((job: Job) => upsert.find(job))
  useEffect(() => {
    let left = false
    void latestUpsert(flowId)
      .then((latest) => (latest && hasEnded(latest) ? getJob(latest.id) : latest))
      .then((latest) => left || !latest || found(latest))
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [flowId])
  const value = useMemo(
    () => ({ upsert, preview, files, setFiles, opened, setOpened }),
    [upsert, preview, files, opened],
  )
  return <UpsertingContext value={value}>{children}</UpsertingContext>
}

type Sending = { signal: AbortSignal; onSent(part: number): void }

function useFollowedJob(
  begin: (request: LoadRequest, sending: Sending) => Promise<string>,
  what: string,
  onEnd: (job: Job) => void,
): FollowedJob & { find(job: Job): void } {
  const [job, setJob] = useState<Job>()
  const [asked, setAsked] = useState<LoadRequest>()
  const [earlier, setEarlier] = useState<string>()
  const [sent, setSent] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  const ended = useEffectEvent(onEnd)
  const started = useRef(begin)
  started.current = begin

  // Its end is told once, also when the job has ended before the page asks for it.
  const [followed, setFollowed] = useState<{ id: string }>()
  useEffect(() => {
    if (followed === undefined) return
    return followJob(followed.id, (next) => {
      setJob(next)
      if (!hasEnded(next)) return
      setFollowed(undefined)
      ended(next)
    })
  }, [followed])

  return useMemo(
    () => ({
      job,
      request: asked,
      earlier,
      sent,
      refusal,
      find(found) {
        // It may be the one that was started here while the last one was looked for.
        if (sending.current && hasEnded(found)) return
        setJob((now) => now ?? found)
        if (hasEnded(found)) setEarlier(found.id)
        else setFollowed((now) => now ?? found)
      },
      async start(request) {
        const controller = new AbortController()
        sending.current = controller
        setAsked(request)
        setRefusal(undefined)
        setSent(0)
        try {
          const id = await started.current(request, { signal: controller.signal, onSent: setSent })
          // It is followed also where this answer is lost.
          await getJob(id).then(setJob, () => undefined)
          setFollowed({ id })
        } catch (error) {
          if (!(error instanceof ServerFailure && error.code === 'aborted')) setRefusal(messageOf(error))
        } finally {
          setSent(undefined)
        }
      },
      cancel() {
        if (sent !== undefined) sending.current?.abort()
        else if (job && !hasEnded(job))
          cancelJob(job.id).then(setJob, (error: unknown) =>
            complain(`${what} was not cancelled`, messageOf(error)),
          )
      },
      retry() {
        if (job)
          retryJob(job.id).then(
            (next) => {
              setJob(next)
              setFollowed(next)
            },
            (error: unknown) => complain(`${what} was not started again`, messageOf(error)),
          )
      },
      clear() {
        setJob(undefined)
        setFollowed(undefined)
        setRefusal(undefined)
      },
    }),
    [job, asked, earlier, sent, refusal, what],
  )
}

function tellEnd(job: Job, show: () => void): void {
  const record = recordOf(job)
  const action = { label: 'Show', onSelect: show }
  if (record)
    tell(
      `Upsert done: ${countText(record.numAdded, 'chunk')} added${record.numFailed > 0 ? `, ${countText(record.numFailed, 'file')} failed` : ''}`,
      action,
    )
  else if (job.state === 'failed') complain('The upsert failed', job.error?.message)
}
