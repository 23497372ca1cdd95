import { Worker } from 'node:worker_threads'
import type { JsonObject } from '../../kit/json.ts'
import { besideModule, threadSource } from '../../kit/module.ts'
import { reasonOf } from '../../kit/errors.ts'
import type { FromThread, GuestAnswer, GuestCall, ToThread } from './messages.ts'

export type CodeLimits = {
  /** Milliseconds of computing. */
  cpuMs: number
  /** Milliseconds in total, with waiting. */
  totalMs: number
  memoryBytes: number
}

const LIMITS: CodeLimits = { cpuMs: 5000, totalMs: 60_000, memoryBytes: 32 * 2 ** 20 }
/** Milliseconds in which the interpreter should notice by itself that its time is over. */
const GRACE_MS = 1000
const MAX_THREADS = 4
const IDLE_MS = 60_000

/** The code gave no result; the message is for the model and for the author of the code. */
export class CodeFailure extends Error {}

export type CodeRun = {
  code: string
  /** Global variables of the code. */
  values: JsonObject
  /** Global variables that the code may read and that have no value, such as inputs that a model left out. */
  unset?: readonly string[]
  /** Answers a `fetch` of the code. An error is thrown inside the code. */
  fetch(call: GuestCall, signal: AbortSignal): Promise<GuestAnswer>
  signal: AbortSignal
  limits?: Partial<CodeLimits>
}

export type CodeRunner = {
  /** Returns the result of the code as text. @throws CodeFailure; the reason of the signal */
  run(run: CodeRun): Promise<string>
  close(): Promise<void>
}

type Thread = { worker: Worker; ended: boolean; idle?: NodeJS.Timeout }

/**
 * Runs custom code of flows in a JavaScript interpreter (QuickJS) in WebAssembly, which has no access to this
 * process, on a thread that can be stopped at any time. Threads start with the first code and end when they are idle.
 */
export function createCodeRunner(): CodeRunner {
  const idle: Thread[] = []
  const waiting: (() => void)[] = []
  let busy = 0

  async function takeThread(): Promise<Thread> {
    if (busy >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    const thread = idle.pop() ?? startThread()
    clearTimeout(thread.idle)
    return thread.ended ? startThread() : thread
  }

  function returnThread(thread: Thread, isReusable: boolean): void {
    const next = waiting.shift()
    if (isReusable) keep(thread)
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
      const thread = await takeThread()
      let isReusable = false
      try {
        const done = await runOn(thread.worker, run)
        isReusable = !done.spent
        if (done.text !== undefined) return done.text
        throw new CodeFailure(done.error ?? 'it failed')
      } finally {
        returnThread(thread, isReusable)
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

/** The thread has no environment, no arguments and a small heap; the process does not wait for it. */
function startThread(): Thread {
  const worker = new Worker(threadSource(besideModule(import.meta.url, './thread')), {
    eval: true,
    env: {},
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  const thread: Thread = { worker, ended: false }
  // Without a listener an error of the thread would end the process.
  worker.on('error', () => undefined).on('exit', () => (thread.ended = true))
  return thread
}

type Done = Extract<FromThread, { type: 'done' }>

function runOn(worker: Worker, { code, values, unset = [], fetch, signal, limits }: CodeRun): Promise<Done> {
  const { cpuMs, totalMs, memoryBytes } = { ...LIMITS, ...limits }
  const { promise, resolve, reject } = Promise.withResolvers<Done>()
  const stop = new AbortController()
  let openCalls = 0
  let computing: NodeJS.Timeout | undefined
  const sleeping = new Set<NodeJS.Timeout>()
  const total = setTimeout(() => fail(`the code takes longer than ${totalMs / 1000} seconds`), totalMs)
  const fail = (reason: string) => reject(new CodeFailure(reason))
  const send = (message: ToThread) => worker.postMessage(message)

  /** While no call is open, the code computes. */
  const watch = () => {
    clearTimeout(computing)
    if (openCalls > 0) return
    computing = setTimeout(
      () => fail(`the code computes for more than ${cpuMs / 1000} seconds`),
      cpuMs + GRACE_MS,
    )
  }

  const answer = async (id: number, call: GuestCall) => {
    openCalls += 1
    watch()
    const reply: ToThread = await fetch(call, stop.signal).then(
      (answer) => ({ type: 'answer', id, answer }),
      (error: unknown) => ({ type: 'answer', id, error: reasonOf(error) }),
    )
    if (stop.signal.aborted) return
    send(reply)
    openCalls -= 1
    watch()
  }

  /** While the code waits, it does not compute. */
  const sleep = (id: number, ms: number) => {
    openCalls += 1
    watch()
    const timer = setTimeout(() => {
      sleeping.delete(timer)
      send({ type: 'woken', id })
      openCalls -= 1
      watch()
    }, ms)
    sleeping.add(timer)
  }

  const onMessage = (message: FromThread) => {
    if (message.type === 'done') resolve(message)
    else if (message.type === 'wait') sleep(message.id, message.ms)
    else void answer(message.id, message.call)
  }
  const onEnd = () => fail('the code made its engine fail')
  const onAbort = () => reject(signal.reason)
  worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  // It may have been aborted while waiting for a thread.
  if (signal.aborted) onAbort()
  watch()
  send({ type: 'run', request: { code, values, unset, cpuMs, memoryBytes } })
  return promise.finally(() => {
    clearTimeout(total)
    clearTimeout(computing)
    for (const timer of sleeping) clearTimeout(timer)
    stop.abort()
    signal.removeEventListener('abort', onAbort)
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
  })
}
