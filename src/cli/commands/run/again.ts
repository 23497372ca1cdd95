import { TOOL_ANSWERS } from '../../../contract/run-again.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { UsageError } from '../../failure.ts'
import { flag, oneOf, text, wholeNumber } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { readRun, runPath } from '../../run-answer.ts'
import { runReport } from '../../run-report.ts'
import { jsonBody } from '../../http.ts'
import { serverCommand } from '../../server-command.ts'

export const runAgainCommand = serverCommand({
  summary: 'Does an answer again from one of its steps, as a run of its own',
  args: ['<id>'],
  about:
    'Steps before it have their recorded answers: no model and no tool is called for them. From it on models are called, and tools\n' +
    'have their recorded answers unless --tools says otherwise. sluice run show tells why a step cannot be done again.',
  options: {
    fromStep: wholeNumber('the number of the step, as sluice run show prints it'),
    input: text('text', 'what this step gets instead: a text, or for a tool a JSON object'),
    question: text('text', 'another question for the whole run'),
    tools: oneOf(TOOL_ANSWERS, 'where tools get their answers from; recorded unless given'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['5f6a9c1e… --from-step 3 --input "And in Spain?"', '5f6a9c1e… --from-step 2 --tools missing'],
  async run({ world, client, args, options: { fromStep, input, question, tools, json } }) {
    if (fromStep === undefined)
      throw new UsageError('--from-step is missing', 'sluice run show <id> lists the steps')
    const object = input === undefined ? undefined : parseJson(input)
    const body = {
      from: fromStep,
      ...(input === undefined ? {} : { input: isObject(object) ? object : input }),
      ...(question === undefined ? {} : { question }),
      ...(tools === undefined ? {} : { tools }),
    }
    const answer = await readAnswer(
      client.send('POST', `${runPath(args[0]!)}/again`, jsonBody(body)),
      async () => (await import('../../../api/run.ts')).runAgainShape,
      'a run that was done again',
    )
    if (json) {
      world.stdout.write(`${JSON.stringify(answer)}\n`)
      return 0
    }
    const paint = paintFor(world.stdout, world.environment)
    world.stdout.write(`${printable(answer.text)}\n\n`)
    world.stdout.write(runReport(await readRun(client.send('GET', runPath(answer.runId))), paint))
    return 0
  },
})
