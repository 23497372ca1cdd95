import { isDeepStrictEqual } from 'node:util'
import { until } from '../../until.ts'
import { ENGINE_FAULTS, type EngineFaultName, indexOf, type Scene } from './engine-faults.ts'
import { foundIn } from './engine-load.ts'

/** What was found wrong after faults: points and chunks, and answers of the load. */
export type EngineVerdict = { lost: number; doubled: number; problems: string[] }

/** All faults, or some, in an order that the seed gives, as often as asked. */
export function engineFaultPlan(
  random: (bound: number) => number,
  { rounds, only }: { rounds: number; only?: readonly string[] | undefined },
): EngineFaultName[] {
  const all = Object.keys(ENGINE_FAULTS) as EngineFaultName[]
  const names = all.filter((name) => only?.includes(name) ?? true)
  return Array.from({ length: rounds }, () => {
    const plan = [...names]
    for (let last = plan.length - 1; last > 0; last--) {
      const other = random(last + 1)
      ;[plan[last], plan[other]] = [plan[other]!, plan[last]!]
    }
    return plan
  }).flat()
}

/** Lets a fault happen, waits for the whole cluster, and adds to the verdict what is wrong then. The load goes on afterwards. */
export async function surviveFault(
  name: EngineFaultName,
  scene: Scene,
  verdict: EngineVerdict,
): Promise<void> {
  const { cluster, house, load } = scene
  await ENGINE_FAULTS[name](scene)
  await cluster.untilGreen()
  // The load goes on by itself.
  await load.next('write', ({ status }) => status === 200)
  await house.untilReady(undefined)
  await judge(name, scene, verdict)
  load.go()
}

/** Compares what was acknowledged with the ledger and with the engine. */
async function judge(fault: string, scene: Scene, verdict: EngineVerdict): Promise<void> {
  const { cluster, house, load, flow } = scene
  const texts = await load.settle()
  const problem = (text: string) => void verdict.problems.push(`after ${fault}: ${text}`)

  let answer = await house.ask(flow, 'vector')
  await until(async () => {
    if (answer.status !== 200) answer = await house.ask(flow, 'vector')
    return answer.status === 200
  }, 'an answer to a question')
  const found = foundIn(answer)
  verdict.lost += texts.filter((text) => !found.includes(text)).length
  verdict.doubled += found.filter((text, at) => found[at - 1] === text || !texts.includes(text)).length
  if (!isDeepStrictEqual(found, texts)) problem(`a question finds other texts: ${answer.text.slice(0, 300)}`)

  const listed = await house.call('GET', `/api/v1/vector/chunks/${flow}?limit=1000`)
  const { total } = listed.body as unknown as { total?: number }
  if (total !== texts.length) problem(`the ledger has ${total} chunks instead of ${texts.length}`)

  const { missing, differing, damaged } = await house.compared(flow)
  verdict.lost += missing.count
  for (const [what, { count }] of Object.entries({ missing, differing, damaged }))
    if (count > 0) problem(`${count} points are ${what}`)

  // What a failed run has left is swept within a minute.
  let counted: unknown
  const isEven = async () => {
    const surplus = (await house.compared(flow)).surplus.count
    const index = await indexOf(scene, flow)
    await cluster.call('POST', `/${index}/_refresh`)
    const { count } = await cluster.call('GET', `/${index}/_count`)
    counted = { surplus, count }
    return surplus === 0 && count === texts.length
  }
  await until(isEven, 'an engine with no more points than chunks').catch(() => {
    verdict.doubled++
    problem(`${JSON.stringify(counted)} in the engine instead of ${texts.length} points`)
  })
}
