import { parentPort } from 'node:worker_threads'
import {
  errors,
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
} from 'quickjs-emscripten-core'
import { reasonOf } from '../../kit/errors.ts'
import type { FromThread, GuestAnswer, GuestCall, RunRequest, ToThread } from './messages.ts'
import { wrapAsFunction, PRELUDE } from './prelude.ts'

/** Runs custom code of flows, one piece at a time, each in a new engine. */

const STACK_BYTES = 256 * 1024
const MAX_CALLS = 50
const MAX_WAITS = 1000
const LONGEST_WAIT_MS = 2 ** 31 - 1
const LONGEST_CALL = 2_000_000
const LONGEST_RESULT = 1_000_000
const JOBS_AT_ONCE = 500
/** A WebAssembly heap never shrinks: a thread with a larger one is replaced. */
const SPENT_BYTES = 48 * 2 ** 20

const port = parentPort!
const send = (message: FromThread) => port.postMessage(message)
const engine = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-ng-wasmfile-release-sync'))

type Run = {
  answer(id: number, answer: GuestAnswer | undefined, error: string | undefined): void
  wake(id: number): void
}
let running: Run | undefined
/** Ids are never reused: a late answer may belong to code that has ended. */
let lastCall = 0

port.on('message', (message: ToThread) => {
  if (message.type === 'run') running = start(message.request)
  else if (message.type === 'woken') running?.wake(message.id)
  else running?.answer(message.id, message.answer, message.error)
})

function start({ code, values, unset, cpuMs, memoryBytes }: RunRequest): Run {
  const runtime = engine.newRuntime({ memoryLimitBytes: memoryBytes, maxStackSizeBytes: STACK_BYTES })
  const context = runtime.newContext()
  const calls = new Map<number, QuickJSDeferredPromise>()
  let result: QuickJSHandle | undefined
  let made = 0
  let waits = 0
  let spentMs = 0
  let enteredAt = performance.now()
  let ended = false
  const spent = () => spentMs + performance.now() - enteredAt
  runtime.setInterruptHandler(() => spent() > cpuMs)

  const end = (outcome: { text?: string; error?: string }, broken = false) => {
    if (ended) return
    ended = true
    running = undefined
    send({ type: 'done', ...outcome, spent: !dispose() || broken || heapBytes() > SPENT_BYTES })
  }

  /** An engine that was interrupted may fail to be disposed: then the thread is replaced. */
  function dispose(): boolean {
    try {
      result?.dispose()
      for (const call of calls.values()) call.dispose()
      context.dispose()
      runtime.dispose()
      return true
    } catch {
      return false
    }
  }

  /** Runs guest code until it waits or ends. */
  function enter(work: () => void): void {
    if (ended) return
    enteredAt = performance.now()
    try {
      work()
      settle()
    } catch (error) {
      const thrownInside = error instanceof errors.QuickJSUnwrapError
      end({ error: spent() > cpuMs ? tooLong(cpuMs) : failureText(error) }, !thrownInside)
    }
    spentMs += performance.now() - enteredAt
  }

  function settle(): void {
    while (runtime.hasPendingJob()) {
      const done = runtime.executePendingJobs(JOBS_AT_ONCE)
      if (done.error) context.unwrapResult(done)
      if (spent() > cpuMs) throw new Error(tooLong(cpuMs))
    }
    const state = context.getPromiseState(result!)
    if (state.type === 'fulfilled') end(read(context, state.value))
    else if (state.type === 'rejected')
      end({ error: spent() > cpuMs ? tooLong(cpuMs) : thrown(context, state.error) })
    else if (calls.size === 0) end({ error: 'the code waits for a promise that never settles' })
  }

  const call = context.newFunction('send', (text) => {
    made += 1
    if (made > MAX_CALLS) throw new Error(`fetch may be called ${MAX_CALLS} times`)
    const written = context.getString(text)
    if (written.length > LONGEST_CALL) throw new Error('the request is too large')
    const promise = context.newPromise()
    lastCall += 1
    calls.set(lastCall, promise)
    send({ type: 'call', id: lastCall, call: JSON.parse(written) as GuestCall })
    return promise.handle
  })

  const wait = context.newFunction('wait', (time) => {
    waits += 1
    if (waits > MAX_WAITS) throw new Error(`setTimeout may be called ${MAX_WAITS} times`)
    const promise = context.newPromise()
    lastCall += 1
    calls.set(lastCall, promise)
    const ms = Math.min(Math.max(context.getNumber(time) || 0, 0), LONGEST_WAIT_MS)
    send({ type: 'wait', id: lastCall, ms })
    return promise.handle
  })

  const localise = context.newFunction('localise', (asked) =>
    context.newString(localised(context.getString(asked))),
  )

  enter(() => {
    using prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'))
    using variables = context.newString(JSON.stringify({ values, unset }))
    using runner = context.unwrapResult(
      context.callFunction(prelude, context.undefined, call, wait, localise, variables),
    )
    for (const given of [call, wait, localise]) given.dispose()
    using guest = context.unwrapResult(context.evalCode(wrapAsFunction(code), 'custom-code.js'))
    result = context.unwrapResult(context.callFunction(runner, context.undefined, guest))
  })

  return {
    answer: (id, answer, error) =>
      enter(() => {
        const promise = calls.get(id)
        if (!promise) return
        calls.delete(id)
        using value = answer ? context.newString(JSON.stringify(answer)) : context.newError(error ?? '')
        if (answer) promise.resolve(value)
        else promise.reject(value)
        promise.dispose()
      }),
    wake: (id) =>
      enter(() => {
        const promise = calls.get(id)
        if (!promise) return
        calls.delete(id)
        promise.resolve(context.undefined)
        promise.dispose()
      }),
  }
}

/** The forms that the interpreter, which knows no languages and time zones, does not have. */
const LOCALISED = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const
/** Milliseconds since 1970 or a number, and what the code passed as locales and options. */
type Localised = { of: 'date' | 'number'; form: string; value: number | null; rest: [string?, object?] }

/** @throws RangeError, TypeError for options that do not exist */
function localised(asked: string): string {
  const { of, form, value, rest } = JSON.parse(asked) as Localised
  const known = LOCALISED.find((name) => name === form)
  const number = value ?? Number.NaN
  // A list has null in place of undefined.
  const [locales, options] = [rest[0] ?? undefined, rest[1] ?? undefined]
  if (of === 'number') return number.toLocaleString(locales, options)
  return new Date(number)[known ?? 'toLocaleString'](locales, { timeZone: 'UTC', ...options })
}

const tooLong = (cpuMs: number) => `the code computes for more than ${cpuMs / 1000} seconds`

function read(context: QuickJSContext, value: QuickJSHandle): { text?: string; error?: string } {
  using text = value
  using length = context.getProp(text, 'length')
  if (context.getNumber(length) > LONGEST_RESULT)
    return { error: `the code returns more than ${LONGEST_RESULT} characters` }
  return { text: String(JSON.parse(context.getString(text))) }
}

function thrown(context: QuickJSContext, error: QuickJSHandle): string {
  using handle = error
  const value: unknown = context.dump(handle)
  return failureText(value)
}

/** Errors of the guest are plain objects. */
function failureText(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) {
    const { name, message } = error as { name?: unknown; message: unknown }
    return reasonOf(
      typeof name === 'string' && name !== 'Error' ? `${name}: ${String(message)}` : String(message),
    )
  }
  return reasonOf(error)
}

const heapBytes = () => engine.getWasmMemory().buffer.byteLength
