import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isObject, type Json, type JsonObject } from '../../../../src/kit/json.ts'
import { freePort } from '../../free-port.ts'
import { until } from '../../until.ts'
import { type SwitchedProxy, switchedProxy } from '../switched-proxy.ts'
import { type EngineNode, startOpenSearchOn } from './java-nodes.ts'

/** How many calls of a start may fail, as where another program has its port at that moment. */
const STARTS = 5

/** A node of the cluster. `proxy` is what servers of Sluice reach it by. */
export type ClusterNode = { readonly name: string; readonly proxy: SwitchedProxy; process: EngineNode }

export type ThreeNodes = Awaited<ReturnType<typeof threeNodes>>

/**
 * A cluster of three nodes of OpenSearch, each a process that can be killed, frozen and started again on its folder. They end with this
 * process.
 *
 * @param programs the folder of tools/provide-opensearch.sh
 * @param settings of each node, besides those of the cluster
 */
export async function threeNodes(programs: string, settings: Record<string, string> = {}) {
  const names = ['node-0', 'node-1', 'node-2']
  const places = await Promise.all(
    names.map(async (name) => ({
      ...{ name, http: await freePort(), transport: await freePort() },
      folder: mkdtempSync(path.join(tmpdir(), `sluice-${name}-`)),
    })),
  )
  const seeds = places.map(({ transport }) => `127.0.0.1:${transport}`).join()

  async function startAt({ name, http, transport, folder }: (typeof places)[number]): Promise<EngineNode> {
    const own = {
      ...{ 'node.name': name, 'http.port': http, 'transport.port': transport },
      ...{ 'discovery.seed_hosts': seeds, 'cluster.initial_cluster_manager_nodes': names.join() },
      // A node that is frozen is given up within some seconds; by default within half a minute.
      'cluster.fault_detection.follower_check.timeout': '2s',
      'cluster.fault_detection.leader_check.timeout': '2s',
      // One that has lost the others answers no question from what it knew: by default it does.
      'cluster.no_cluster_manager_block': 'all',
      ...settings,
    }
    for (let start = 1; ; start++) {
      try {
        return await startOpenSearchOn(folder, programs, own)
      } catch (error) {
        if (start === STARTS) throw error
      }
    }
  }

  const processes = await Promise.all(places.map(startAt))
  const nodes: ClusterNode[] = []
  for (const [at, process] of processes.entries())
    nodes.push({ name: names[at]!, process, proxy: await switchedProxy(places[at]!.http) })

  /** Asks the nodes themselves, past the proxies. @returns undefined where none answers */
  async function tryCall(method: string, target: string, body?: JsonObject): Promise<Answer | undefined> {
    for (const { process } of nodes) {
      const answer = await fetch(process.url + target, {
        ...{ method, signal: AbortSignal.timeout(20_000) },
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => undefined,
      )
      if (answer) return answer
    }
    return undefined
  }

  /** Waits for the call to be done. @throws Error where a node refuses it */
  async function call(method: string, target: string, body?: JsonObject): Promise<JsonObject> {
    let answer: Answer | undefined
    const isAnswered = async () => {
      answer = await tryCall(method, target, body)
      return answer !== undefined && answer.status < 500
    }
    await until(isAnswered, `an answer of the cluster to ${method} ${target}`)
    const { status, text } = answer!
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text.slice(0, 300)}`)
    const read = JSON.parse(text) as Json
    return isObject(read) ? (read as JsonObject) : {}
  }

  /** The cluster as each node knows it; undefined for one that does not answer, or is told by no leader. */
  const knownStates = (): Promise<(string | undefined)[]> =>
    Promise.all(
      nodes.map(({ process }) =>
        fetch(`${process.url}/_cluster/state/version,master_node?local=true`, {
          signal: AbortSignal.timeout(5000),
        }).then(
          async (response) => {
            const { state_uuid, master_node } = (await response.json()) as Record<string, string | null>
            return response.ok && master_node ? (state_uuid ?? undefined) : undefined
          },
          () => undefined,
        ),
      ),
    )

  /** A node that was frozen does not know at first that it was left out. */
  const nodesAgree = async (): Promise<boolean> => {
    const states = new Set(await knownStates())
    return states.size === 1 && !states.has(undefined)
  }

  const health = async (query: string) => {
    const answer = await tryCall('GET', `/_cluster/health?timeout=2s&${query}`)
    return answer?.status === 200
  }

  return {
    nodes,
    call,

    /** The addresses of all nodes, as a credential has them. */
    addresses: nodes.map(({ proxy }) => proxy.url).join(),

    /** Starts a node that has ended. */
    async start(node: ClusterNode): Promise<void> {
      node.process = await startAt(places[nodes.indexOf(node)]!)
    },

    /** Waits until the cluster has so many nodes. */
    untilCount: (count: number) =>
      until(() => health(`wait_for_nodes=${count}`), `a cluster of ${count} nodes`),

    /** Waits until all nodes are there with all copies of all shards. */
    untilGreen: () =>
      until(
        async () =>
          (await nodesAgree()) &&
          (await health('wait_for_nodes=3&wait_for_status=green&wait_for_no_initializing_shards=true')),
        'the whole cluster',
      ),

    close(): void {
      for (const { proxy } of nodes) proxy.close()
    },
  }
}

type Answer = { status: number; text: string }
