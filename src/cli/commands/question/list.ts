import type { QuestionAnswer } from '../../../api/question.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

/** How many rows one call asks for. */
const PAGE = 1000

export const listQuestionsCommand = serverCommand({
  summary: 'Lists the questions of a flow, with what is judged right',
  args: ['<flow>'],
  options: {
    proposed: flag('lists the proposals that wait to be accepted, in place of the accepted questions'),
    json: flag('prints the rows as JSON'),
  },
  examples: ['handbook'],
  async run({ world, client, args, options: { json, proposed } }) {
    const state = proposed ? 'proposed' : 'accepted'
    const rows: QuestionAnswer[] = []
    for (let page = 1, total = 1; (page - 1) * PAGE < total; page++) {
      const found = await readAnswer(
        client.send(
          'GET',
          `questions/${encodeURIComponent(args[0]!)}?state=${state}&page=${page}&limit=${PAGE}`,
        ),
        async () => (await import('../../../api/question.ts')).questionPage,
        'a page of questions',
      )
      total = found.total
      rows.push(...found.data)
    }
    printRows(rows, COLUMNS, { world, json, none: `The flow has no ${state} question.` })
    return 0
  },
})

const rightOf = ({ judgements }: QuestionAnswer) =>
  judgements.filter(({ grade }) => grade > 0).map(({ source }) => source)

const COLUMNS: Column<QuestionAnswer>[] = [
  { title: 'question', value: ({ text }) => text },
  { title: 'right', value: (row) => [...new Set(rightOf(row))].join(', ') || 'nothing is judged right' },
  { title: 'from', value: ({ origin }) => origin },
  { title: 'id', value: ({ id }) => id },
]
