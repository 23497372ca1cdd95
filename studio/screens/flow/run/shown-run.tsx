import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { hasEnded } from '../../../server/jobs.ts'
import { getRun, type Run } from '../../../server/runs.ts'
import { useUpserting } from '../upsert/upserting.tsx'
import { type RunAtStep, runAtStep } from './run-at-step.ts'

/** The run that the canvas shows on its nodes and lines. */
export type ShownRun = RunAtStep & {
  /** Undefined where none is shown, or while it is read. */
  run: Run | undefined
  /** The id of the run that was chosen, or of the upsert that this page saw running. */
  id: string | undefined
  /** Why it cannot be read. */
  error: Error | null
  /** Whether it came from a file, or is a search: the server does not keep it. */
  isFile: boolean
  isOpen: boolean
  setOpen(open: boolean): void
  choose(id: string | undefined): void
  openFile(run: Run): void
  /** The step up to which it is shown; the whole run unless given. */
  step: number | undefined
  setStep(step: number | undefined): void
  /** The line whose last items are shown, by `lineKey`. */
  line: string | undefined
  setLine(line: string | undefined): void
}

/** How often a run that goes on is read again, in milliseconds. */
const WATCH_MS = 1000

const ShownRunContext = createContext<ShownRun | undefined>(undefined)

/** The run that the canvas shows. @throws Error outside of the canvas */
export function useShownRun(): ShownRun {
  const shown = useContext(ShownRunContext)
  if (!shown) throw new Error('there is no canvas here')
  return shown
}

/** Keeps the run that the canvas shows. The address names the chosen one; an upsert that runs is shown by itself. */
export function ShownRunProvider({ children }: { children: ReactNode }) {
  const { run: named } = useSearch({ from: '/flows/$id/' })
  const navigate = useNavigate({ from: '/flows/$id/' })
  const { upsert, preview } = useUpserting()
  const running = [upsert.job, preview.job].find((job) => job && !hasEnded(job))?.id
  const [seen, setSeen] = useState<string>()
  const [file, setFile] = useState<Run>()
  const [isOpen, setOpen] = useState(named !== undefined)
  const [step, setStep] = useState<number>()
  const [line, setLine] = useState<string>()
  useEffect(() => {
    if (running !== undefined) setSeen(running)
  }, [running])

  const id = named ?? running ?? seen
  const { data, error } = useQuery({
    queryKey: ['run', id],
    queryFn: () => getRun(id!),
    enabled: id !== undefined && file === undefined,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.state === 'INPROGRESS' ? WATCH_MS : false),
  })
  const run = file ?? (data?.id === id ? data : undefined)
  const value = useMemo<ShownRun>(() => {
    const forget = () => {
      setStep(undefined)
      setLine(undefined)
      setFile(undefined)
    }
    return {
      ...(run ? runAtStep(run, step) : { nodes: new Map(), lines: new Map() }),
      ...{ run, id: file?.id ?? id, error: file ? null : error, isFile: file !== undefined },
      ...{ isOpen, setOpen, step, setStep, line, setLine },
      choose(next) {
        forget()
        if (next === undefined) setSeen(undefined)
        void navigate({ search: (all) => ({ ...all, run: next }), replace: true })
      },
      openFile(opened) {
        forget()
        setFile(opened)
        setOpen(true)
      },
    }
  }, [run, file, id, error, isOpen, step, line, navigate])
  return <ShownRunContext value={value}>{children}</ShownRunContext>
}
