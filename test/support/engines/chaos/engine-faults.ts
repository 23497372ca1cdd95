import assert from 'node:assert/strict'
import { isObject, type JsonObject } from '../../../../src/kit/json.ts'
import type { ClusterNode, ThreeNodes } from '../real/three-nodes.ts'
import { until } from '../../until.ts'
import type { EngineHouse } from './engine-house.ts'
import type { EngineLoad, LoadAnswer } from './engine-load.ts'

/** What a fault happens to. */
export type Scene = {
  cluster: ThreeNodes
  house: EngineHouse
  load: EngineLoad
  /** The flow of the load, and another one that a fault may load. */
  flow: string
  bulkFlow: string
  random: (bound: number) => number
}

/** What happens to a cluster or to an index, until it is over. The caller waits for the whole cluster before the next one. */
type Fault = (scene: Scene) => Promise<void>

/** How many chunks the large load has: its first call is several times larger than the memory that the nodes have for one. */
const LARGE_LINES = 600

/** Memory of a node for writes that are under way: for each change of the load, not for the large load in one call. */
export const INDEXING_MEMORY = '512kb'

/** So long no node that is frozen is given up, in milliseconds: three checks of two seconds have to fail. */
const NOT_GIVEN_UP_MS = 4000

const anyNode = ({ cluster, random }: Scene): ClusterNode => cluster.nodes[random(cluster.nodes.length)]!

/** Lets writer and reader meet what has happened. */
async function questions({ load }: Scene, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await load.next('question')
}

/** The index behind the alias of a flow at this moment. */
export async function indexOf({ cluster }: Scene, flow: string): Promise<string> {
  const found = await cluster.call('GET', `/_alias/${flow}-*`)
  const names = Object.entries(found).flatMap(([name, about]) => {
    const aliases = isObject(about) && isObject(about.aliases) ? Object.keys(about.aliases) : []
    return aliases.some((alias) => alias.endsWith('-points') && !alias.endsWith('-removed-points'))
      ? [name]
      : []
  })
  assert.equal(names.length, 1, names.join())
  return names[0]!
}

const isUnusable = ({ status, code }: LoadAnswer) => status === 503 && code === 'collection_unusable'

/** Questions, writes, `/readyz` and `sluice verify` name what is wrong with the index. */
async function isTold(scene: Scene, index: string, reason: RegExp): Promise<void> {
  const { load, house, flow } = scene
  const named = new RegExp(`${index} ${reason.source}`)
  const [question, write] = await Promise.all([
    load.next('question', isUnusable),
    load.next('write', isUnusable),
    house.untilReady(named),
  ])
  for (const { message } of [question, write]) assert.match(message, named)
  const isNamed = async () => {
    const verified = await house.verify(flow)
    return 'failure' in verified && named.test(verified.failure)
  }
  await until(isNamed, 'sluice verify names the index')
}

/** @param end what is done to all of these nodes, and then undone */
async function away(scene: Scene, nodes: readonly ClusterNode[]): Promise<() => Promise<void>> {
  const all = (change: (node: ClusterNode) => unknown) => Promise.all(nodes.map(change))
  switch (scene.random(3)) {
    case 0:
      await all(({ process }) => process.signal('SIGKILL'))
      return async () => void (await all(scene.cluster.start))
    case 1:
      await all(({ process }) => process.signal('SIGSTOP'))
      return async () => void (await all(({ process }) => process.signal('SIGCONT')))
    default:
      await all(({ proxy }) => proxy.hold())
      return async () => void (await all(({ proxy }) => proxy.pass()))
  }
}

export const ENGINE_FAULTS = {
  async cut(scene) {
    const { proxy } = anyNode(scene)
    proxy.cut()
    await questions(scene, 4)
    await scene.load.next('write', ({ status }) => status === 200)
    proxy.pass()
  },

  async held(scene) {
    const { proxy } = anyNode(scene)
    proxy.hold()
    await questions(scene, 4)
    proxy.pass()
  },

  async kill(scene) {
    const node = anyNode(scene)
    await node.process.signal('SIGKILL')
    await questions(scene, 4)
    await scene.cluster.start(node)
  },

  async restart(scene) {
    const node = anyNode(scene)
    await node.process.signal('SIGTERM')
    await questions(scene, 2)
    await scene.cluster.start(node)
  },

  /** Until the cluster has given the node up, or not so long. One that was given up answers from what it knew until it notices that. */
  async freeze(scene) {
    const { cluster, load, random } = scene
    const node = anyNode(scene)
    const began = performance.now()
    await node.process.signal('SIGSTOP')
    await questions(scene, 2)
    if (random(2) === 0) await cluster.untilCount(2)
    // Two questions, too, may take as long on a busy machine.
    if (performance.now() - began > NOT_GIVEN_UP_MS) await load.rest()
    await node.process.signal('SIGCONT')
    await cluster.untilGreen()
    load.go()
  },

  /** Every call has an answer: that it came is seen by what waits for it. */
  async 'two away'(scene) {
    const { cluster, load, house, flow, random } = scene
    await load.settle()
    const stays = cluster.nodes[random(3)]
    const back = await away(
      scene,
      cluster.nodes.filter((node) => node !== stays),
    )
    load.go()
    const [, , ready] = await Promise.all([
      questions(scene, 3),
      load.next('write'),
      house.call('GET', '/readyz'),
      house.verify(flow),
    ])
    assert.ok([200, 503].includes(ready.status), ready.text)
    await back()
  },

  async disk(scene) {
    const { cluster, load, house, flow } = scene
    await load.settle()
    const block = async (isSet: true | null) => {
      const index = await indexOf(scene, flow)
      await cluster.call('PUT', `/${index}/_settings`, { 'index.blocks.read_only_allow_delete': isSet })
      return index
    }
    const index = await block(true)
    load.go()
    const [write] = await Promise.all([
      load.next('write', ({ status }) => status !== 200),
      // Questions are answered all the same.
      load.next('question', ({ status }) => status === 200),
      house.untilReady(new RegExp(`${index} is read-only, as on a full disk`)),
    ])
    assert.match(write.message, /full disk|disk flood stage/)
    await block(null)
  },

  /** More is sent than the nodes have room for; all of it arrives, so the calls have become smaller. */
  async 'too many'(scene) {
    const { cluster, house, bulkFlow, random } = scene
    const before = await rejections(cluster)
    const version = random(1_000_000)
    const lines = Array.from(
      { length: LARGE_LINES },
      (_, line) => `Source large.txt, line ${line}, as it is since version ${version} of it.`,
    )
    const { status, text, body } = await house.upload(bulkFlow, 'large.txt', lines)
    const { code, jobId } = body as { code?: string; jobId: string }
    assert.ok(status === 200 || code === 'engine_waits', text)
    if (status !== 200)
      await until(async () => {
        const { state, error } = await house.job(jobId)
        assert.ok(['queued', 'running', 'done'].includes(state), JSON.stringify(error))
        return state === 'done'
      }, 'the end of the large load')
    assert.ok((await rejections(cluster)) > before, 'the cluster has refused nothing')
    const { missing } = await house.compared(bulkFlow)
    assert.equal(missing.count, 0)
    const { count } = await cluster.call('GET', `/${await indexOf(scene, bulkFlow)}/_count`)
    assert.equal(count, LARGE_LINES)
  },

  /** The texts are embedded again while no server runs. */
  async deleted(scene) {
    const { cluster, load, house, flow } = scene
    await load.settle()
    const index = await indexOf(scene, flow)
    await cluster.call('DELETE', `/${index}`)
    load.go()
    await isTold(scene, index, /is missing/)
    await load.rest()
    await house.stop()
    const { repair } = await house.compared(flow, '--repair')
    assert.deepEqual(
      Object.values(repair!.left).map(({ count }) => count),
      [0, 0, 0, 0],
    )
    await house.start()
    load.go()
  },

  async closed(scene) {
    const { cluster, load, flow } = scene
    await load.settle()
    const index = await indexOf(scene, flow)
    await cluster.call('POST', `/${index}/_close`)
    load.go()
    await isTold(scene, index, /is closed/)
    await cluster.call('POST', `/${index}/_open`)
  },
} satisfies Record<string, Fault>

export type EngineFaultName = keyof typeof ENGINE_FAULTS

/** How many calls of writes the nodes had no memory for. */
async function rejections(cluster: ThreeNodes): Promise<number> {
  const { nodes } = (await cluster.call('GET', '/_nodes/stats/indexing_pressure')) as {
    nodes: Record<string, { indexing_pressure: { memory: { total: JsonObject } } }>
  }
  return Object.values(nodes)
    .map(({ indexing_pressure: { memory } }) => Number(memory.total.coordinating_rejections))
    .reduce((all, one) => all + one, 0)
}
