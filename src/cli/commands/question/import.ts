import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const importQuestionsCommand = serverCommand({
  summary:
    'Adds the questions of a folder to a flow: queries.jsonl, qrels.tsv and, where it is there, corpus.jsonl',
  args: ['<flow>', '<folder>'],
  about:
    'A judged document is known by its id, or by "source" or the title of its line in corpus.jsonl. Documents that the store of the\n' +
    'flow does not have are told by their ids. The exit code is 1 when there were any.',
  options: { json: flag('prints the server’s answer as it is') },
  examples: ['handbook my-questions/'],
  async run({ world, client, args, options }) {
    const [flow, folder] = args as [string, string]
    const place = path.resolve(world.directory, folder)
    const read = (file: string) =>
      readFile(path.join(place, file), 'utf8').catch((error: unknown) => {
        throw new Failure(`${file} of ${folder} cannot be read: ${reasonOf(error)}`)
      })
    const [queries, qrels] = [await read('queries.jsonl'), await read('qrels.tsv')]
    const corpus = await judgedLines(path.join(place, 'corpus.jsonl'), qrels)
    const body = jsonBody({ queries, qrels, ...(corpus === '' ? {} : { corpus }) })
    const answer = await readAnswer(
      client.send('POST', `questions/${encodeURIComponent(flow)}/import`, body),
      async () => (await import('../../../api/question.ts')).questionsImported,
      'the result of an import',
    )
    const { numAdded, numChanged, numUnjudged, numUnreadable, numDuplicates, missing } = answer
    const left: [number, string][] = [
      [numChanged, 'the flow had already'],
      [numDuplicates, 'with the text of one before'],
      [numUnjudged, 'without a judgement that is left, not taken'],
      [numUnreadable, 'without a text or with one that is too long, not taken'],
    ]
    world.stdout.write(
      options.json
        ? `${JSON.stringify(answer)}\n`
        : [
            `${counted(numAdded, 'new question')}\n`,
            ...left.flatMap(([count, what]) =>
              count > 0 ? [`${count.toLocaleString('en')} ${what}\n`] : [],
            ),
          ].join(''),
    )
    if (missing.length > 0 && !options.json)
      world.stderr.write(
        `The store has no ${missing.length === 1 ? 'document' : 'documents'}: ${printable(missing.join(', '))}\n`,
      )
    return missing.length === 0 ? 0 : 1
  },
})

/**
 * The lines of a corpus that are judged, without the texts of whole documents: a corpus may be larger than a request. Empty where there
 * is none.
 */
async function judgedLines(file: string, qrels: string): Promise<string> {
  const judged = new Set(qrels.split(/\r?\n/).map((line) => line.split('\t')[1]?.trim()))
  const lines: string[] = []
  try {
    for await (const line of createInterface({
      input: createReadStream(file, 'utf8'),
      crlfDelay: Infinity,
    })) {
      const row = parseJson(line)
      if (!isObject(row)) continue
      const { _id: id, title, source, passage, text } = row
      if (!judged.has(String(id))) continue
      lines.push(
        JSON.stringify({ _id: id, title, source, passage, ...(passage === undefined ? {} : { text }) }),
      )
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new Failure(`corpus.jsonl cannot be read: ${reasonOf(error)}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
