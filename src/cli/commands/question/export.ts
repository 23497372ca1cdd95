import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../../../kit/errors.ts'
import { Failure } from '../../failure.ts'
import { flag } from '../../options.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const exportQuestionsCommand = serverCommand({
  summary: 'Writes the accepted questions of a flow into a folder: corpus.jsonl, queries.jsonl, qrels.tsv',
  args: ['<flow>', '<folder>'],
  about:
    'A file that is there already is replaced. The folder is a collection: sluice eval FLOW FOLDER reads it.',
  options: { json: flag('prints the server’s answer, and writes no file') },
  examples: ['handbook my-questions/'],
  async run({ world, client, args, options }) {
    const [flow, folder] = args as [string, string]
    const files = await readAnswer(
      client.send('GET', `questions/${encodeURIComponent(flow)}/export`),
      async () => (await import('../../../api/question.ts')).questionFiles,
      'the files of questions',
    )
    if (options.json) {
      world.stdout.write(`${JSON.stringify(files)}\n`)
      return 0
    }
    const place = path.resolve(world.directory, folder)
    try {
      await mkdir(place, { recursive: true })
      await writeFile(path.join(place, 'corpus.jsonl'), files.corpus)
      await writeFile(path.join(place, 'queries.jsonl'), files.queries)
      await writeFile(path.join(place, 'qrels.tsv'), files.qrels)
    } catch (error) {
      throw new Failure(`${folder} cannot be written: ${reasonOf(error)}`)
    }
    const count = files.queries.split('\n').filter((line) => line !== '').length
    world.stdout.write(`${counted(count, 'question')} in ${folder}\n`)
    return 0
  },
})
