import { Worker } from 'node:worker_threads'
import type { JsonObject } from '../../kit/json.ts'
import { besideModule, threadSource } from '../../kit/module.ts'
import { reasonOf } from '../../kit/errors.ts'
import type { FromThread, GuestAnswer, GuestCall, ToThread } from './messages.ts'

export type CodeLimits = {
  /** How long the code may compute. */
  cpuMs: number
  /** How long it may take with all that it waits for. */
  totalMs: number
  memoryBytes: number
}

const LIMITS: CodeLimits = { cpuMs: 5000, totalMs: 60_000, memoryBytes: 32 * 2 ** 20 }
/** What the interpreter is given to notice by itself that its time is over. */
const GRACE_MS = 1000
const MAX_THREADS = 4
const IDLE_MS = 60_000

/** The code did not give a result; the message is for the model and for the author of the code. */
export class CodeFailure extends Error {}

export type CodeRun = {
  code: string
  /** Global variables of the code. */
  values: JsonObject
  /** Answers a `fetch` of the code. An error of it is thrown inside the code. */
  fetch(call: GuestCall, signal: AbortSignal): Promise<GuestAnswer>
  signal: AbortSignal
  limits?: Partial<CodeLimits>
}

export type CodeRunner = {
  /** What the code returns, as text. @throws CodeFailure; the reason of the signal */
  run(run: CodeRun): Promise<string>
  close(): Promise<void>
}

type Thread = { worker: Worker; ended: boolean; idle?: NodeJS.Timeout }

/**
 * Runs code of flow authors in an interpreter of JavaScript (QuickJS) that is WebAssembly and knows nothing of this
 * process, on a thread that can be stopped at any instant. Threads start with the first code and end when idle.
 */
export function createCodeRunner(): CodeRunner {
  const idle: Thread[] = []
  const waiting: (() => void)[] = []
  let busy = 0

  async function take(): Promise<Thread> {
    if (busy >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    const thread = idle.pop() ?? startThread()
    clearTimeout(thread.idle)
    return thread.ended ? startThread() : thread
  }

  function giveBack(thread: Thread, usable: boolean): void {
    const next = waiting.shift()
    if (usable) keep(thread)
    else void thread.worker.terminate()
    if (next) next()
    else busy -= 1
  }

  function keep(thread: Thread): void {
    idle.push(thread)
    thread.idle = setTimeout(() => {
      idle.splice(idle.indexOf(thread), 1)
      void thread.worker.terminate()
    }, IDLE_MS).unref()
  }

  return {
    async run(run) {
      run.signal.throwIfAborted()
      const thread = await take()
      let usable = false
      try {
        const done = await drive(thread.worker, run)
        usable = !done.spent
        if (done.text !== undefined) return done.text
        throw new CodeFailure(done.error ?? 'it failed')
      } finally {
        giveBack(thread, usable)
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

/** It has no settings, no arguments and hardly a heap of its own; the process does not wait for it. */
function startThread(): Thread {
  const worker = new Worker(threadSource(besideModule(import.meta.url, './thread')), {
    eval: true,
    env: {},
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  const thread: Thread = { worker, ended: false }
  // Without a listener its failure would be one of the whole process.
  worker.on('error', () => undefined).on('exit', () => (thread.ended = true))
  return thread
}

type Done = Extract<FromThread, { type: 'done' }>

function drive(worker: Worker, { code, values, fetch, signal, limits }: CodeRun): Promise<Done> {
  const { cpuMs, totalMs, memoryBytes } = { ...LIMITS, ...limits }
  const { promise, resolve, reject } = Promise.withResolvers<Done>()
  const stop = new AbortController()
  let open = 0
  let computing: NodeJS.Timeout | undefined
  const total = setTimeout(() => fail(`the code takes longer than ${totalMs / 1000} seconds`), totalMs)
  const fail = (reason: string) => reject(new CodeFailure(reason))
  const tell = (message: ToThread) => worker.postMessage(message)

  /** As long as nothing is waited for, the code computes. */
  const watch = () => {
    clearTimeout(computing)
    if (open > 0) return
    computing = setTimeout(
      () => fail(`the code computes for more than ${cpuMs / 1000} seconds`),
      cpuMs + GRACE_MS,
    )
  }

  const answer = async (id: number, call: GuestCall) => {
    open += 1
    watch()
    const reply: ToThread = await fetch(call, stop.signal).then(
      (answer) => ({ type: 'answer', id, answer }),
      (error: unknown) => ({ type: 'answer', id, error: reasonOf(error) }),
    )
    if (stop.signal.aborted) return
    tell(reply)
    open -= 1
    watch()
  }

  const onMessage = (message: FromThread) => {
    if (message.type === 'done') resolve(message)
    else void answer(message.id, message.call)
  }
  const onEnd = () => fail('the code made its engine fail')
  const onAbort = () => reject(signal.reason)
  worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  // It may have happened while a thread was waited for.
  if (signal.aborted) onAbort()
  watch()
  tell({ type: 'run', request: { code, values, cpuMs, memoryBytes } })
  return promise.finally(() => {
    clearTimeout(total)
    clearTimeout(computing)
    stop.abort()
    signal.removeEventListener('abort', onAbort)
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
  })
}
