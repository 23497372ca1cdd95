import type { Json } from '../../../kit/json.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { flag, text } from '../../options.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const proposeQuestionsCommand = serverCommand({
  summary: 'Proposes questions, made from the documents of a flow without a language model',
  args: ['<flow>'],
  about:
    'Each is five words around a left out word of a sentence, some of them replaced by near ones. They wait to be accepted and are not\n' +
    'asked before. They may warn, and never choose: on nine collections they ordered ten variants about as well as ten to twenty real\n' +
    'questions, and 13 % of the significant differences that they showed pointed the wrong way.',
  options: {
    limit: text('number', 'how many are proposed at most, 1 to 100; 100 unless given'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['handbook --limit 50'],
  async run({ world, client, args, options }) {
    const limit = options.limit === undefined ? undefined : Number(options.limit)
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= 100))
      throw new Failure('--limit: a whole number from 1 to 100 is expected')
    const body: Json = limit === undefined ? {} : { limit }
    const answer = await readAnswer(
      client.send('POST', `questions/${encodeURIComponent(args[0]!)}/proposals`, jsonBody(body)),
      async () => (await import('../../../api/question.ts')).questionsStored,
      'proposed questions',
    )
    const told =
      answer.questions.length === 0 ? 'No document has a sentence to make a question of' : undefined
    world.stdout.write(
      options.json
        ? `${JSON.stringify(answer)}\n`
        : `${told ?? `${counted(answer.numAdded, 'new proposal')}: accept those that fit under Questions`}\n`,
    )
    return 0
  },
})
