import { readdirSync, readFileSync } from 'node:fs'

/** Megabytes of resident memory of a process and of all that it has started, from /proc. */
export function residentOf(pid: number): { own: number; below: number } {
  return { own: resident(pid), below: childrenOf(pid).reduce((sum, child) => sum + totalOf(child), 0) }
}

const totalOf = (pid: number): number => {
  const { own, below } = residentOf(pid)
  return own + below
}

function resident(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

/** Seconds of processor time that a process has used in all its threads, in steps of 10 ms, from /proc. */
export function processorSeconds(pid: number): number {
  // The name of the program, in brackets, may hold spaces.
  const fields = readProc(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

/** USER_HZ: 100 on every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100

const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) =>
    readProc(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** The memory of a process that has ended: 0. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export type Peak = { total: number; own: number; below: number }

/** Measures the memory of a process tree every 50 ms, until its peak is read. */
export function watchMemory(pid: number): () => Peak {
  const peak: Peak = { total: 0, own: 0, below: 0 }
  const look = () => {
    const { own, below } = residentOf(pid)
    peak.total = Math.max(peak.total, own + below)
    peak.own = Math.max(peak.own, own)
    peak.below = Math.max(peak.below, below)
  }
  look()
  const timer = setInterval(look, 50)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}
