import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { reasonOf } from '../../../../kit/errors.ts'
import { isObject, parseJson } from '../../../../kit/json.ts'
import { draftLines, draftPath, onlyDraft } from '../../../draft-answer.ts'
import { Failure } from '../../../failure.ts'
import { jsonBody } from '../../../http.ts'
import { flag, wholeNumber } from '../../../options.ts'
import { paintFor } from '../../../paint.ts'
import { printable } from '../../../printable.ts'
import { readAnswer } from '../../../read-answer.ts'
import { serverCommand } from '../../../server-command.ts'

export const saveDraftCommand = serverCommand({
  summary: 'Saves a drawing as the draft of a flow; the flow stays as it is until it is published',
  args: ['<flow>', '<file|->'],
  about:
    'The file has a drawing, such as "sluice flow export" writes. - is standard input. The draft replaces the one before; with\n' +
    '--if N only where its number is N (0: where there is none), so that nothing of others is lost.',
  options: {
    base: wholeNumber('the revision of which the drawing was made; after a merge, that of the live drawing'),
    if: wholeNumber('saves only if this is the number of the draft that is there'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['quickstart quickstart.json', 'quickstart merged.json --base 7'],
  async run({ world, client, args, options }) {
    const [flow, file] = args as [string, string]
    const content = await (file === '-'
      ? readText(world.stdin)
      : readFile(path.resolve(world.directory, file), 'utf8')
    ).catch((error: unknown) => {
      throw new Failure(`Cannot read ${file}: ${reasonOf(error)}`)
    })
    const drawing = parseJson(content)
    if (!isObject(drawing)) throw new Failure(`${file} is not a drawing of a flow: it is not a JSON object`)
    const body = { flowData: content, ...(options.base === undefined ? {} : { base: options.base }) }
    const saved = await readAnswer(
      client.send(
        'PUT',
        draftPath(flow),
        jsonBody(body),
        options.if === undefined ? {} : onlyDraft(options.if),
      ),
      async () => (await import('../../../../api/flow-draft.ts')).savedDraft,
      'a saved draft',
    )
    if (options.json) world.stdout.write(`${JSON.stringify(saved)}\n`)
    else world.stdout.write(draftLines(saved, paintFor(world.stdout, world.environment)))
    if (saved.warning !== null) world.stderr.write(`${printable(saved.warning)}\n`)
    return 0
  },
})
