import assert from 'node:assert/strict'
import { type Question, QUESTION_LIMITS, type QuestionRun } from '../../src/contract/question-store.ts'
import { flowRow, insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const PAGE = { offset: 0, limit: 50 }

const question = (id: string, changes: Partial<Question> = {}): Question => ({
  ...{ id, flowId: 'f', text: `What is ${id}?`, state: 'accepted', origin: 'hit' },
  judgements: [{ source: 'a.txt', passage: { quote: 'The “quote”\nof it', start: 3, end: 20 }, grade: 1 }],
  ...{ createdAt: 1, updatedAt: 1 },
  ...changes,
})

const run = (id: string, changes: Partial<QuestionRun> = {}): QuestionRun => ({
  ...{ id, flowId: 'f', revision: 3, cause: 'asked', startedAt: 1, finishedAt: 2 },
  measures: { asked: 1, counted: 1, ndcg10: 0.5, recall10: 1, first: 0, p50: 1.5, p95: 2.5 },
  results: [{ question: 'q', text: 'What?', place: 2, ndcg10: 0.5, recall10: 1, ms: 1.5 }],
  ...changes,
})

/** What every store of questions promises; run by each implementation. */
export function questionStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the QuestionStore`, make)

  promises('lists questions of a flow, the oldest first, with every field', async (repositories) => {
    await insertFlows(repositories, 'f', 'other')
    const { questions } = repositories
    const rows = [
      question('2', { createdAt: 1 }),
      question('1', { createdAt: 2, state: 'proposed', judgements: [] }),
    ]
    assert.deepEqual(await questions.put('f', rows), { stored: rows, added: 2 })
    await questions.put('other', [question('3', { flowId: 'other' })])
    assert.deepEqual(await questions.list('f', PAGE), { rows, total: 2 })
    assert.deepEqual(await questions.list('f', { offset: 1, limit: 1 }), { rows: [rows[1]], total: 2 })
    assert.deepEqual((await questions.list('f', { ...PAGE, state: 'proposed' })).rows, [rows[1]])
    assert.deepEqual((await questions.list('f', { ...PAGE, search: 'IS 2' })).rows, [rows[0]])
    assert.deepEqual(await questions.counts('f'), { accepted: 1, proposed: 1 })
    assert.deepEqual(await questions.find('f', '2'), rows[0])
    assert.equal(await questions.find('other', '2'), undefined)
  })

  promises(
    'adds to the question that has the text already, whatever its case and blanks',
    async (repositories) => {
      await insertFlows(repositories, 'f')
      const { questions } = repositories
      const proposed = question('1', { state: 'proposed', text: 'How  Long?' })
      await questions.put('f', [proposed])
      const wrong = { source: 'a.txt', passage: { quote: 'the “QUOTE” of it' }, grade: 0 }
      const more = { source: 'b.txt', grade: 2 }
      const twice = question('2', { text: ' how long? ', judgements: [wrong, more], updatedAt: 9 })
      const { stored, added } = await questions.put('f', [twice, { ...twice, id: '3' }])
      const merged = { ...proposed, state: 'accepted', judgements: [wrong, more], updatedAt: 9 }
      assert.deepEqual({ stored, added }, { stored: [merged, merged], added: 0 })
      assert.deepEqual((await questions.list('f', PAGE)).rows, [merged])
      // A proposal does not turn an accepted question back.
      await questions.put('f', [question('4', { text: 'how long?', state: 'proposed' })])
      assert.equal((await questions.find('f', '1'))?.state, 'accepted')
    },
  )

  promises('takes all questions of a call or none', async (repositories) => {
    await insertFlows(repositories, 'f')
    const { questions } = repositories
    const many = Array.from({ length: QUESTION_LIMITS.judgements + 1 }, (_, at) => ({
      source: `s${at}`,
      grade: 1,
    }))
    await assert.rejects(questions.put('f', [question('1'), question('2', { judgements: many })]), {
      code: 'question_over_limit',
    })
    const full = Array.from({ length: QUESTION_LIMITS.questions + 1 }, (_, at) =>
      question(`q${at}`, { judgements: [] }),
    )
    await assert.rejects(questions.put('f', full), { code: 'questions_full' })
    await assert.rejects(questions.put('none', [question('1')]), { code: 'flow_not_found' })
    assert.equal((await questions.list('f', PAGE)).total, 0)
    assert.equal((await questions.put('f', full.slice(1))).added, QUESTION_LIMITS.questions)
    // A full list still takes judgements.
    assert.equal(
      (await questions.put('f', [{ ...full[1]!, judgements: [{ source: 'z', grade: 1 }] }])).added,
      0,
    )
  })

  promises('changes a question and takes judgements back', async (repositories) => {
    await insertFlows(repositories, 'f')
    const { questions } = repositories
    await questions.put('f', [question('1'), question('2', { judgements: [] })])
    const right = { source: 'b.txt', grade: 1 }
    const [present] = question('1').judgements
    const changed = await questions.change('f', '1', {
      ...{
        text: 'Another?',
        state: 'proposed',
        put: [right],
        drop: [{ ...present!, passage: { quote: 'the “quote” of it' } }],
      },
      now: 5,
    })
    const wanted = question('1', { text: 'Another?', state: 'proposed', judgements: [right], updatedAt: 5 })
    assert.deepEqual(changed, wanted)
    assert.deepEqual(await questions.find('f', '1'), wanted)
    await assert.rejects(questions.change('f', '2', { text: 'ANOTHER?', now: 6 }), { code: 'question_taken' })
    assert.equal(await questions.change('f', 'none', { now: 6 }), undefined)
    assert.deepEqual(await questions.find('f', '2'), question('2', { judgements: [] }))
  })

  promises('removes questions by their ids, and all of a state', async (repositories) => {
    await insertFlows(repositories, 'f')
    const { questions } = repositories
    await questions.put(
      'f',
      ['1', '2', '3'].map((id) => question(id, { state: id === '1' ? 'accepted' : 'proposed' })),
    )
    assert.equal(await questions.remove('f', { ids: ['2', 'none'] }), 1)
    assert.equal(await questions.remove('other', { state: 'proposed' }), 0)
    assert.equal(await questions.remove('f', { state: 'proposed' }), 1)
    assert.deepEqual(await questions.counts('f'), { accepted: 1, proposed: 0 })
  })

  promises('keeps runs, the newest first, and only as many as the limit', async (repositories) => {
    await insertFlows(repositories, 'f', 'other')
    const { questions } = repositories
    await questions.keepRun(run('1', { finishedAt: 1 }))
    await questions.keepRun(run('2', { finishedAt: 2, cause: 'upsert' }))
    await questions.keepRun(run('x', { flowId: 'other' }))
    await questions.keepRun(run('2', { finishedAt: 3, cause: 'upsert', results: [] }))
    const { results: _, ...head } = run('2', { finishedAt: 3, cause: 'upsert' })
    const { rows, total } = await questions.runs('f', { offset: 0, limit: 1 })
    assert.deepEqual({ rows, total }, { rows: [head], total: 2 })
    assert.deepEqual(await questions.run('f', '1'), run('1', { finishedAt: 1 }))
    assert.equal(await questions.run('f', 'x'), undefined)
    assert.deepEqual(
      (await questions.lastRuns('f', 2)).map(({ id, results }) => [id, results.length]),
      [
        ['2', 0],
        ['1', 1],
      ],
    )
    for (let at = 0; at < QUESTION_LIMITS.runs; at++)
      await questions.keepRun(run(`r${at}`, { finishedAt: 10 + at }))
    assert.equal((await questions.runs('f', PAGE)).total, QUESTION_LIMITS.runs)
    assert.equal(await questions.run('f', '2'), undefined)
    // The flow may be gone when a run ends.
    await questions.keepRun(run('late', { flowId: 'gone' }))
    assert.equal((await questions.runs('gone', PAGE)).total, 0)
  })

  promises('loses everything with the flow', async (repositories) => {
    const { flows, questions } = repositories
    await flows.insert(flowRow('f'))
    await questions.put('f', [question('1')])
    await questions.keepRun(run('1'))
    await flows.remove('f')
    assert.deepEqual(await questions.counts('f'), { accepted: 0, proposed: 0 })
    assert.equal((await questions.runs('f', PAGE)).total, 0)
  })
}
