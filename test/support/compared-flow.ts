import assert from 'node:assert/strict'
import type { Drawing } from './flow-drawing.ts'
import type { TestPlatform } from './platform.ts'

/** Subjects, each of which one document is about. */
const SUBJECTS = [
  ...['heron', 'bakery', 'glacier', 'violin', 'lantern', 'harbour', 'orchard', 'telescope'],
  ...['submarine', 'carpet', 'volcano', 'library', 'bicycle', 'cathedral', 'mushroom', 'compass'],
  ...['windmill', 'porcelain', 'aqueduct', 'beehive', 'chessboard', 'drawbridge', 'elevator', 'fountain'],
  ...['greenhouse', 'hammock', 'iceberg', 'juniper', 'kayak', 'labyrinth', 'monastery', 'nightingale'],
]

/** Texts by the names of their files: each says when its subject is looked after, between sentences that all share. */
export const comparedDocuments = (count = SUBJECTS.length): Record<string, string> =>
  Object.fromEntries(
    SUBJECTS.slice(0, count).map((subject, at) => [
      `${subject}.txt`,
      [
        `This page is kept by the caretakers of the estate, who come on weekdays and write down what they did.`,
        `The ${subject} is looked after on day ${at + 1} of the month by the ${subject} keeper.`,
        `Everything else on this page is about the weather, the roads and the price of bread in the village.`,
      ].join('\n\n'),
    ]),
  )

/** Questions to these documents, each judged by its source. */
export const comparedQuestions = (count = SUBJECTS.length) =>
  SUBJECTS.slice(0, count).map((subject) => ({
    text: `When is the ${subject} looked after?`,
    judgements: [{ source: `${subject}.txt`, grade: 1 }],
  }))

/** A flow with these documents and questions. Gives its id. */
export async function comparedFlow(
  platform: TestPlatform,
  { drawing = {}, documents = SUBJECTS.length, questions = SUBJECTS.length }: ComparedFlow = {},
): Promise<string> {
  const flow = await platform.flow({ splitter: { chunkSize: 400, chunkOverlap: 0 }, ...drawing })
  const loaded = await platform.upload(flow, comparedDocuments(documents))
  assert.equal(loaded.status, 200, loaded.text)
  if (questions > 0) {
    const { status, text } = await platform.manage('POST', `/api/v1/questions/${flow}`, {
      questions: comparedQuestions(questions),
    })
    assert.equal(status, 200, text)
  }
  return flow
}

type ComparedFlow = { drawing?: Drawing; documents?: number; questions?: number }
