import assert from 'node:assert/strict'
import type { FlowState } from '../../src/contract/flow-state-store.ts'
import { insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const stateOf = (changes: Partial<FlowState> = {}): FlowState => ({
  flowId: 'flow',
  sessionId: 'session',
  rootFlowId: 'flow',
  updatedAt: 1,
  state: { city: 'Oslo', visits: '3', note: 'a \u0000 in it' },
  ...changes,
})

/** What every store of the states of agent flows promises; run by each implementation. */
export function flowStateStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the FlowStateStore`, make)

  promises('keeps the newest state of each session of a flow', async (repositories) => {
    const { flowStates } = repositories
    await insertFlows(repositories, 'flow', 'other')
    assert.equal(await flowStates.find('flow', 'session'), undefined)
    await flowStates.save(stateOf())
    assert.deepEqual(await flowStates.find('flow', 'session'), stateOf().state)
    await flowStates.save(stateOf({ updatedAt: 2, state: { city: 'Bergen' } }))
    await flowStates.save(stateOf({ sessionId: 'another', state: {} }))
    assert.deepEqual(await flowStates.find('flow', 'session'), { city: 'Bergen' })
    assert.deepEqual(await flowStates.find('flow', 'another'), {})
    assert.equal(await flowStates.find('other', 'session'), undefined)
  })

  promises(
    'loses a state with the messages of its session, also that of a flow that was called within it, and with its flow',
    async (repositories) => {
      const { flowStates, flows, messages } = repositories
      await insertFlows(repositories, 'flow', 'called', 'other')
      await flowStates.save(stateOf())
      await flowStates.save(stateOf({ flowId: 'called' }))
      await flowStates.save(stateOf({ flowId: 'other', rootFlowId: 'other' }))
      await messages.remove('called', {})
      assert.notEqual(await flowStates.find('called', 'session'), undefined)
      await messages.remove('flow', {})
      assert.equal(await flowStates.find('flow', 'session'), undefined)
      assert.equal(await flowStates.find('called', 'session'), undefined)
      assert.notEqual(await flowStates.find('other', 'session'), undefined)
      await flows.remove('other')
      assert.equal(await flowStates.find('other', 'session'), undefined)
    },
  )
}
