import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../../src/kit/json.ts'
import { randomBelow } from '../../random.ts'
import { until } from '../../until.ts'
import { type Change, changes, linesOf, textsOf, type Versions } from './changing-sources.ts'
import type { EngineHouse, HouseAnswer } from './engine-house.ts'

/** How long writer and reader rest after an answer, in milliseconds. */
const REST_MS = 30

/** The same after a refusal. */
const REFUSED_MS = 250

const MODES = ['vector', 'hybrid', 'keyword'] as const

/** An answer to a call of the load; `code` and `message` of a failure. */
export type LoadAnswer = { kind: 'write' | 'question'; status: number; code: string; message: string }

export type EngineLoad = ReturnType<typeof engineLoad>

/**
 * Changes the sources of a flow, one after another, each until it is acknowledged, while a reader asks for all of them. What the reader gets
 * with 200 has to be what there was at a moment between its question and its answer.
 */
export function engineLoad(house: EngineHouse, flow: string, seed: number) {
  // Each loop has its own: how quick the other one is changes nothing.
  const { next, after } = changes(randomBelow(seed))
  const random = randomBelow(seed + 1)
  /** What there is after each change; the first `acknowledged` changes are, and the last one may have begun. */
  const states: Versions[] = [new Map()]
  let acknowledged = 0
  const counts = { changes: 0, answers: 0, failures: new Map<string, number>() }
  const problems: string[] = []
  const watchers = new Set<(begun: number, answer: LoadAnswer) => void>()
  let clock = 0
  let isOver = false

  /** Where a loop may be told to stand still. */
  type Stand = 'nowhere' | 'between' | 'anywhere'
  const loops = {
    writer: { stand: 'nowhere' as Stand, isStanding: false },
    reader: { stand: 'nowhere' as Stand, isStanding: false },
  }
  async function stand(loop: keyof typeof loops, place: 'between' | 'within'): Promise<void> {
    const own = loops[loop]
    while (!isOver && (own.stand === 'anywhere' || (own.stand === 'between' && place === 'between'))) {
      own.isStanding = true
      await pause(5)
    }
    own.isStanding = false
  }

  async function asked(kind: LoadAnswer['kind'], call: () => Promise<HouseAnswer>): Promise<HouseAnswer> {
    const begun = ++clock
    const answer = await call()
    const { code = '', message = '' } = (isObject(answer.body) ? answer.body : {}) as Partial<LoadAnswer>
    const { status } = answer
    counts.answers++
    if (status !== 200) {
      const name = `${kind} ${status} ${code}`
      counts.failures.set(name, (counts.failures.get(name) ?? 0) + 1)
      if (![502, 503, 504].includes(status)) problems.push(`a ${kind} was answered ${answer.text}`)
    }
    for (const watch of watchers) watch(begun, { kind, status, code, message })
    return answer
  }

  /** Follows a job that goes on after its answer. @returns whether it has done its work */
  async function follow(id: string): Promise<boolean> {
    for (;;) {
      await stand('writer', 'within')
      if (isOver) return false
      const { state } = await house.job(id)
      if (state === 'done') return true
      if (state !== 'queued' && state !== 'running') return false
      await pause(REST_MS)
    }
  }

  async function attempt({ source, version }: Change): Promise<boolean> {
    const { status, body } = await asked('write', () =>
      version === undefined
        ? house.call('DELETE', `/api/v1/vector/upsert/${flow}?source=${source}`)
        : house.upload(flow, source, linesOf(source, version)),
    )
    if (status === 200) return true
    const { code, jobId } = body as { code?: string; jobId?: string }
    return code === 'engine_waits' && jobId !== undefined && follow(jobId)
  }

  async function write(): Promise<void> {
    while (!isOver) {
      await stand('writer', 'between')
      const change = next(states.at(-1)!)
      states.push(after(states.at(-1)!, change))
      for (let isDone = false; !isDone && !isOver; ) {
        await stand('writer', 'within')
        if (isOver) return
        isDone = await attempt(change)
        if (!isDone) await pause(REFUSED_MS)
      }
      acknowledged = states.length - 1
      counts.changes++
      await pause(REST_MS)
    }
  }

  async function read(): Promise<void> {
    while (!isOver) {
      await stand('reader', 'between')
      if (isOver) return
      const earliest = acknowledged
      const mode = MODES[random(MODES.length)]!
      const answer = await asked('question', () => house.ask(flow, mode))
      if (answer.status === 200) {
        const found = foundIn(answer)
        const possible = states.slice(earliest).map(textsOf)
        if (!possible.some((texts) => isDeepStrictEqual(texts, found)))
          problems.push(
            `a question by ${mode} (answer ${counts.answers}) was answered wrong: ${difference(found, possible)}`,
          )
      }
      await pause(answer.status === 200 ? REST_MS : REFUSED_MS)
    }
  }

  const ended = Promise.all([write(), read()])
  // Seen where the load is ended, or where a test waits for what does not come any more.
  ended.catch((error: unknown) => {
    problems.push(String(error))
    isOver = true
  })

  return {
    counts,
    problems,

    /** Ends the change that is under way, and begins no other one. @returns the texts that there are */
    async settle(): Promise<string[]> {
      loops.writer.stand = 'between'
      await until(() => loops.writer.isStanding || isOver, 'the end of a change')
      return textsOf(states[acknowledged]!)
    },

    /** Makes no calls from now on; a change may be half done. */
    async rest(): Promise<void> {
      for (const loop of Object.values(loops)) loop.stand = 'anywhere'
      await until(
        () => Object.values(loops).every((loop) => loop.isStanding) || isOver,
        'the end of the calls',
      )
    },

    go(): void {
      for (const loop of Object.values(loops)) loop.stand = 'nowhere'
    },

    /** The first answer of a kind to a call that begins from now on, and that is like this. */
    async next(
      kind: LoadAnswer['kind'],
      is: (answer: LoadAnswer) => boolean = () => true,
    ): Promise<LoadAnswer> {
      const from = clock
      let first: LoadAnswer | undefined
      const watch = (begun: number, answer: LoadAnswer) => {
        if (begun > from && answer.kind === kind && is(answer)) first ??= answer
      }
      watchers.add(watch)
      try {
        await until(() => first !== undefined || isOver, `an answer to a ${kind}`)
      } finally {
        watchers.delete(watch)
      }
      if (!first) throw new Error(problems.join('\n') || 'the load is over')
      return first
    },

    async end(): Promise<void> {
      isOver = true
      await ended
    },
  }
}

type Hit = { pageContent: string; metadata: { source?: string } }

/** The texts of an answer, sorted; one that has the wrong source is named instead. */
export const foundIn = ({ body }: HouseAnswer): string[] =>
  (body as unknown as { docs: Hit[] }).docs
    .map(({ pageContent, metadata: { source } }) =>
      pageContent.startsWith(`Source ${source},`) ? pageContent : `${pageContent} (of ${source})`,
    )
    .sort()

/** How an answer differs from the state that is nearest to it. */
function difference(found: readonly string[], possible: readonly (readonly string[])[]): string {
  const told = possible.map((texts) => {
    const missing = texts.filter((text) => !found.includes(text))
    const more = found.filter((text, at) => !texts.includes(text) || found[at - 1] === text)
    return { missing, more, count: missing.length + more.length }
  })
  const [nearest] = told.toSorted((one, other) => one.count - other.count)
  const { missing, more } = nearest!
  return `beside the nearest of ${possible.length} states it lacks ${JSON.stringify(missing)} and has ${JSON.stringify(more)} too much`
}
