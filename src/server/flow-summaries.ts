import { setImmediate } from 'node:timers/promises'
import type { FlowHead } from '../contract/flow-store.ts'
import { findProblems } from '../flow/check/find-problems.ts'
import { namespacesOf } from '../flow/namespaces.ts'
import { servicesForCheck } from './check-flow.ts'
import type { Platform } from './platform.ts'

/** A flow with what it holds and what is wrong with it. */
export type FlowSummary = FlowHead & {
  key: { id: string; name: string | null } | null
  chunks: number
  documents: number
  problems: number
  /** The first problem, as a sentence; null if there is none. */
  problem: string | null
}

type KnownCredential = { name: string; kind: string; updatedAt: number }

/** What the check of a flow has looked up, and what it found: with the same answers it finds the same problems. */
type Lookups = Map<string, string | boolean | undefined>

type Checked = {
  revision: number
  namespaces: string[]
  problems: number
  problem: string | null
  lookups: Lookups
}

/** How many drawings are read before other requests get their turn. */
const SLICE = 10

/**
 * Makes a function that summarises all flows. A drawing is read once per revision, and again only when a credential or a
 * flow that it names came or went.
 */
export function flowSummaries(platform: Platform): () => Promise<FlowSummary[]> {
  const { flows, keys, stores, credentials, catalog, nodeServices } = platform
  let known = new Map<string, Checked>()
  let running: Promise<FlowSummary[]> | undefined

  async function summarise(): Promise<FlowSummary[]> {
    const heads = await flows.heads()
    const names = new Map((await keys.list()).map(({ id, name }) => [id, name]))
    const held = await stores.contents()
    const context = lookupContext(
      new Map((await credentials.list()).map((one) => [one.id, one])),
      new Set(heads.flatMap(({ id, slug }) => [id, slug])),
    )
    const checked = new Map<string, Checked>()
    let read = 0
    for (const head of heads) {
      const earlier = known.get(head.id)
      const valid = earlier?.revision === head.revision && context.isSame(earlier.lookups)
      const found = valid ? earlier : await check(head, context)
      if (found) checked.set(head.id, found)
      if (!valid && ++read % SLICE === 0) await setImmediate()
    }
    known = checked
    return heads.map((head) => {
      const { namespaces = [], problems = 0, problem = null } = checked.get(head.id) ?? {}
      const contents = namespaces.flatMap((namespace) => held.get(namespace) ?? [])
      return {
        ...head,
        key: head.apiKeyId === null ? null : { id: head.apiKeyId, name: names.get(head.apiKeyId) ?? null },
        chunks: contents.reduce((sum, { chunks }) => sum + chunks, 0),
        documents: contents.reduce((sum, { sources }) => sum + sources, 0),
        problems,
        problem,
      }
    })
  }

  async function check({ id }: FlowHead, context: LookupContext): Promise<Checked | undefined> {
    const flow = await flows.find(id)
    if (!flow) return undefined
    const lookups = context.note()
    const found = await findProblems(flow.flowData, {
      catalog,
      credentials: context.credentials,
      flows: context.flows,
      // Variables change no problem.
      variables: new Set(),
      context: servicesForCheck(platform, id),
    })
    return {
      revision: flow.revision,
      namespaces: namespacesIn(flow.flowData, id),
      problems: found.length,
      problem: found[0]?.message ?? null,
      lookups,
    }
  }

  /** None for a drawing that cannot be read. */
  function namespacesIn(flowData: string, id: string): string[] {
    try {
      return namespacesOf({ catalog, nodeServices }, { id, flowData, apiConfig: undefined })
    } catch {
      return []
    }
  }

  return () => {
    running ??= summarise().finally(() => {
      running = undefined
    })
    return running
  }
}

type LookupContext = ReturnType<typeof lookupContext>

/** Credentials and flows that note what is looked up in them. */
function lookupContext(credentials: Map<string, KnownCredential>, flows: Set<string>) {
  let noted: Lookups = new Map()
  // Its values may have changed with it.
  const stateOf = (id: string) => {
    const found = credentials.get(id)
    return found && `${found.kind} ${found.updatedAt}`
  }
  class NotingMap extends Map<string, KnownCredential> {
    override get(id: string) {
      noted.set(`credential ${id}`, stateOf(id))
      return super.get(id)
    }
  }
  class NotingSet extends Set<string> {
    override has(id: string) {
      noted.set(`flow ${id}`, flows.has(id))
      return super.has(id)
    }
  }
  return {
    credentials: new NotingMap(credentials),
    flows: new NotingSet(flows),
    /** Begins a new list of lookups. */
    note(): Lookups {
      noted = new Map()
      return noted
    },
    isSame(lookups: Lookups): boolean {
      return [...lookups].every(([what, found]) => {
        const id = what.slice(what.indexOf(' ') + 1)
        return (what.startsWith('flow ') ? flows.has(id) : stateOf(id)) === found
      })
    },
  }
}
