import assert from 'node:assert/strict'
import type { ChatMessageRow, NewQuestion } from '../../src/contract/chat-message-store.ts'
import { insertFlows, type MakeRepositories, promisesOf, type Repositories } from './repositories.ts'

const message = (id: string, changes: Partial<ChatMessageRow> = {}): ChatMessageRow => ({
  id,
  flowId: 'flow',
  chatId: 'chat',
  sessionId: 'session',
  role: 'userMessage',
  content: `text of ${id}`,
  chatType: 'EXTERNAL',
  memoryType: null,
  details: {},
  createdAt: 1,
  ...changes,
})

const question = (id: string, changes: Partial<NewQuestion> = {}): NewQuestion => ({
  message: message(id),
  owner: null,
  anyOwner: false,
  files: [],
  ...changes,
})

const answer = (id: string, changes: Partial<ChatMessageRow> = {}) =>
  message(id, { role: 'apiMessage', ...changes })

const idsOf = ({ rows }: { rows: ChatMessageRow[] }) => rows.map(({ id }) => id)

/** What every store of chat messages promises; run by each implementation. */
export function chatMessageStoreSuite(name: string, make: MakeRepositories): void {
  const promises = (promise: string, check: (repositories: Repositories) => Promise<void>) =>
    promisesOf(`${name}: the ChatMessageStore`, make)(promise, async (repositories) => {
      await insertFlows(repositories, 'flow', 'other')
      await check(repositories)
    })

  promises(
    'messages() gives what was answered, oldest first, of the newest as many as are asked for',
    async ({ messages }) => {
      for (const n of [1, 2]) {
        await messages.addQuestion(question(`q${n}`))
        await messages.addAnswer(`q${n}`, answer(`a${n}`))
      }
      await messages.addQuestion(question('failed'))
      const texts = async (last?: number) =>
        (await messages.messages('flow', 'session', last)).map(({ content }) =>
          content.replace('text of ', ''),
        )
      assert.deepEqual(await texts(), ['q1', 'a1', 'q2', 'a2'])
      assert.deepEqual(await texts(3), ['a1', 'q2', 'a2'])
      assert.deepEqual(await messages.messages('other', 'session'), [])
      assert.deepEqual(await messages.messages('flow', 'chat'), [])
    },
  )

  promises(
    'ask() keeps a session for the key that began it, and lets a manager continue any',
    async ({ messages }) => {
      await messages.addQuestion(question('q1', { owner: 'key one' }))
      await messages.addQuestion(question('q2', { owner: 'key one' }))
      await assert.rejects(messages.addQuestion(question('q3', { owner: 'key two' })), {
        code: 'session_taken',
      })
      await assert.rejects(messages.addQuestion(question('q4')), { code: 'session_taken' })
      await messages.addQuestion(question('q5', { owner: 'manager', anyOwner: true }))
      await messages.addQuestion(question('q6', { owner: 'key one' }))
      assert.deepEqual(idsOf(await messages.list('flow', {}, { ascending: true })), ['q1', 'q2', 'q5', 'q6'])
    },
  )

  promises('ask() lets every caller continue a session without an owner', async ({ messages }) => {
    await messages.addQuestion(question('q1'))
    await messages.addQuestion(question('q2', { owner: 'key' }))
    await messages.addQuestion(question('q3', { owner: 'another key' }))
  })

  promises(
    'ask() refuses a missing flow, and answer() stores nothing for a missing question',
    async ({ messages, flows }) => {
      await messages.addQuestion(question('q1'))
      await flows.remove('flow')
      await messages.addAnswer('q1', answer('a1'))
      assert.equal(await messages.find('q1'), undefined)
      assert.equal(await messages.find('a1'), undefined)
      await assert.rejects(messages.addQuestion(question('q2')), { code: 'flow_not_found' })
    },
  )

  promises(
    'list() narrows by every field of a filter, pages, and counts all that match',
    async ({ messages, feedback }) => {
      const asked: Partial<ChatMessageRow>[] = [
        { chatId: 'one', createdAt: 10 },
        { chatId: 'two', sessionId: 'two', createdAt: 20, chatType: 'INTERNAL' },
        { memoryType: 'Buffer Memory', createdAt: 30 },
      ]
      for (const [n, changes] of asked.entries()) {
        await messages.addQuestion(question(`q${n}`, { message: message(`q${n}`, changes) }))
        await messages.addAnswer(`q${n}`, answer(`a${n}`, changes))
      }
      const rating = { flowId: 'flow', chatId: 'one', content: '', createdAt: 1 }
      await feedback.put({ ...rating, id: 'f', messageId: 'a0', rating: 'THUMBS_UP' })
      for (const [filter, ids] of [
        [{ chatId: 'one' }, ['q0', 'a0']],
        [{ sessionId: 'two' }, ['q1', 'a1']],
        [{ chatTypes: ['INTERNAL'] }, ['q1', 'a1']],
        [{ chatTypes: ['EXTERNAL'], from: 20 }, ['q2', 'a2']],
        [{ from: 20, to: 20 }, ['q1', 'a1']],
        [{ memoryType: 'Buffer Memory' }, ['q2', 'a2']],
        [{ id: 'a1' }, ['a1']],
        [{ ratings: ['THUMBS_UP'] }, ['a0']],
        [{ ratings: ['THUMBS_DOWN'] }, []],
      ] as const)
        assert.deepEqual(idsOf(await messages.list('flow', filter, { ascending: true })), ids)
      const page = await messages.list('flow', {}, { ascending: false, offset: 1, limit: 2 })
      assert.deepEqual([idsOf(page), page.total], [['q2', 'a1'], 6])
    },
  )

  promises(
    'remove() removes files and feedback too, and leaves other flows alone',
    async ({ messages, feedback }) => {
      const picture = { id: 'picture', name: 'a.png', mime: 'image/png', content: new Uint8Array([1, 2]) }
      await messages.addQuestion(question('q1', { files: [picture] }))
      await messages.addAnswer('q1', answer('a1'))
      await messages.addQuestion(question('q2', { message: message('q2', { flowId: 'other' }) }))
      const rating = { flowId: 'flow', chatId: 'chat', messageId: 'a1', content: '', createdAt: 1 }
      await feedback.put({ ...rating, id: 'f1', rating: 'THUMBS_UP' })
      assert.deepEqual(await messages.file('picture'), picture)
      assert.deepEqual(await messages.remove('flow', { chatId: 'no such' }), { count: 0, ended: [] })
      assert.deepEqual(
        await messages.remove('flow', { id: 'q1' }),
        { count: 1, ended: [] },
        'the answer is left',
      )
      assert.deepEqual(await messages.remove('flow', {}), { count: 1, ended: ['chat'] })
      assert.equal(await messages.file('picture'), undefined)
      assert.equal(await feedback.find('f1'), undefined)
      assert.deepEqual(idsOf(await messages.list('other', {}, { ascending: true })), ['q2'])
    },
  )

  promises(
    'find() and file() give every field back, and undefined where there is none',
    async ({ messages }) => {
      const row = message('q1', {
        memoryType: 'Buffer Memory',
        details: { usedTools: [{ tool: 'é', n: 1 }] },
      })
      await messages.addQuestion(question('q1', { message: row }))
      assert.deepEqual(await messages.find('q1'), row)
      assert.equal(await messages.find('none'), undefined)
      assert.equal(await messages.file('none'), undefined)
    },
  )

  promises('requireOwner() refuses a chat or a session that another caller began', async ({ messages }) => {
    await messages.addQuestion(question('q1', { owner: 'key one' }))
    await messages.addQuestion(
      question('q2', { message: message('q2', { chatId: 'free', sessionId: 'free' }) }),
    )
    const may = (place: { chatId: string; sessionId: string }, owner: string | null, flowId = 'flow') =>
      messages.requireOwner({ flowId, ...place }, owner)
    const [taken, free, fresh] = ['chat', 'free', 'new']
    await may({ chatId: taken!, sessionId: 'session' }, 'key one')
    for (const owner of ['key two', null])
      for (const place of [
        { chatId: taken!, sessionId: fresh! },
        { chatId: fresh!, sessionId: 'session' },
      ])
        await assert.rejects(may(place, owner), { code: 'session_taken' })
    await may({ chatId: free!, sessionId: free! }, 'key two')
    await may({ chatId: fresh!, sessionId: fresh! }, null)
    await may({ chatId: taken!, sessionId: 'session' }, 'key two', 'other')
  })

  promises(
    'claim() begins a conversation with files: they have an owner before any question',
    async ({ messages }) => {
      const [chat, mine] = [
        { flowId: 'flow', chatId: 'chat' },
        { owner: 'key one', anyOwner: false, now: 5 },
      ]
      await messages.claim(chat, mine)
      for (const owner of ['key two', null]) {
        await assert.rejects(messages.claim(chat, { ...mine, owner }), { code: 'session_taken' })
        for (const sessionId of ['chat', 'session'])
          await assert.rejects(messages.requireOwner({ ...chat, sessionId }, owner), {
            code: 'session_taken',
          })
        // Also where it is only the name of the session.
        await assert.rejects(
          messages.requireOwner({ flowId: 'flow', chatId: 'new', sessionId: 'chat' }, owner),
          {
            code: 'session_taken',
          },
        )
        const asked = question('q1', { owner, message: message('q1') })
        await assert.rejects(messages.addQuestion(asked), { code: 'session_taken' })
      }
      await messages.claim({ ...chat, flowId: 'other' }, { ...mine, owner: 'key two' })
      // A manager continues it and does not take it.
      await messages.claim(chat, { owner: 'manager', anyOwner: true, now: 6 })
      await messages.addQuestion(question('q2', { owner: 'manager', anyOwner: true }))
      await messages.addQuestion(question('q3', { owner: 'key one' }))
      await assert.rejects(messages.addQuestion(question('q4', { owner: 'manager' })), {
        code: 'session_taken',
      })
    },
  )

  promises(
    'claim() leaves to all what all may continue, and refuses a missing flow',
    async ({ messages }) => {
      const [chat, by] = [
        { flowId: 'flow', chatId: 'chat' },
        { anyOwner: false, now: 5 },
      ]
      await messages.claim(chat, { ...by, owner: null })
      await messages.claim(chat, { ...by, owner: 'key' })
      await messages.requireOwner({ ...chat, sessionId: 'chat' }, 'another key')
      const pinned = { ...by, owner: 'pinned', ownedOnly: true }
      await assert.rejects(messages.claim(chat, pinned), { code: 'session_taken' })
      await assert.rejects(messages.claim({ ...chat, flowId: 'none' }, pinned), { code: 'flow_not_found' })
      await messages.addQuestion(question('q1', { owner: 'first' }))
      const begun = { flowId: 'flow', chatId: 'asked' }
      await messages.addQuestion(
        question('q2', { owner: 'key', message: message('q2', { ...begun, sessionId: 'asked' }) }),
      )
      await assert.rejects(messages.claim(begun, pinned), { code: 'session_taken' })
      await messages.claim(begun, { ...by, owner: 'key' })
    },
  )

  promises(
    'of two callers that claim and ask in the same moment, one has the conversation',
    async ({ messages }) => {
      for (let round = 0; round < 10; round++) {
        const place = { flowId: 'flow', chatId: `chat ${round}`, sessionId: `session ${round}` }
        const both = await Promise.allSettled([
          messages.claim(place, { owner: 'one', anyOwner: false, now: 1 }),
          messages.addQuestion(question(`q${round}`, { owner: 'two', message: message(`q${round}`, place) })),
        ])
        assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      }
    },
  )

  promises(
    'removeClaims() frees conversations whose files are gone; withoutMessages() finds old ones',
    async ({ messages }) => {
      const claim = (chatId: string, now: number) =>
        messages.claim({ flowId: 'flow', chatId }, { owner: 'one', anyOwner: false, now })
      const isFree = (chatId: string) =>
        messages.requireOwner({ flowId: 'flow', chatId, sessionId: chatId }, 'two').then(
          () => true,
          () => false,
        )
      for (const [chatId, now] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
        ['chat', 1],
      ] as const)
        await claim(chatId, now)
      await messages.addQuestion(question('q', { owner: 'one' }))
      assert.deepEqual(await messages.withoutMessages('flow', 3, 9), ['a', 'b'])
      assert.deepEqual(await messages.withoutMessages('flow', 3, 1), ['a'])
      await claim('a', 7)
      await messages.removeClaims('flow', ['a', 'b'], 5)
      assert.deepEqual([await isFree('a'), await isFree('b'), await isFree('c')], [false, true, false])
      await messages.removeClaims('other', undefined, 9)
      assert.equal(await isFree('c'), false)
      await messages.removeClaims('flow', undefined, 9)
      assert.deepEqual([await isFree('a'), await isFree('c'), await isFree('chat')], [true, true, false])
    },
  )

  promises('keeps the owner of a session when its first messages are removed', async ({ messages }) => {
    await messages.addQuestion(question('q1', { owner: 'key one' }))
    await messages.addAnswer('q1', answer('a1'))
    await messages.addQuestion(question('q2', { owner: 'manager', anyOwner: true }))
    for (const id of ['q1', 'a1']) {
      await messages.remove('flow', { id })
      await assert.rejects(messages.addQuestion(question('q3', { owner: 'manager' })), {
        code: 'session_taken',
      })
      const place = { flowId: 'flow', chatId: 'chat', sessionId: 'session' }
      await messages.requireOwner(place, 'key one')
    }
  })

  promises('conversations() lists the chats of a flow, the last used first', async ({ messages }) => {
    for (const [id, chatId] of [
      ['one', 'a'],
      ['two', 'b'],
      ['three', 'a'],
    ] as const) {
      await messages.addQuestion(question(id, { message: message(id, { chatId, sessionId: chatId }) }))
      await messages.addAnswer(id, answer(`to ${id}`, { chatId, sessionId: chatId, content: `100% ${id}` }))
    }
    const found = async (search?: string, range = { offset: 0, limit: 9 }) => {
      const { rows, total } = await messages.conversations('flow', { ...range, search })
      return [total, ...rows.map((row) => [row.chatId, row.first.id, row.last.id, row.messages])]
    }
    assert.deepEqual(await found(), [2, ['a', 'one', 'to three', 4], ['b', 'two', 'to two', 2]])
    assert.deepEqual(await found(undefined, { offset: 1, limit: 1 }), [2, ['b', 'two', 'to two', 2]])
    assert.deepEqual(await found('0% TWO'), [1, ['b', 'two', 'to two', 2]])
    assert.deepEqual(await found('0_ two'), [0])
    await messages.addAnswer(
      'two',
      answer('of school', { chatId: 'b', sessionId: 'b', content: 'À L’École' }),
    )
    assert.deepEqual(await found('à l’éCOLE'), [1, ['b', 'two', 'of school', 3]])
    assert.deepEqual(await found('ecole'), [0])
    assert.deepEqual((await messages.conversations('other', { offset: 0, limit: 9 })).rows, [])
  })

  promises('noteFailure() adds details to a question', async ({ messages }) => {
    await messages.addQuestion(question('q', { message: message('q', { details: { leadEmail: 'x' } }) }))
    await messages.noteFailure('q', { failure: { code: 'cancelled' } })
    await messages.noteFailure('none', { failure: {} })
    assert.deepEqual((await messages.find('q'))?.details, {
      leadEmail: 'x',
      failure: { code: 'cancelled' },
    })
  })
}
