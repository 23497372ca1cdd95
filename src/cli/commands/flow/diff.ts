import { fetchFlows } from '../../flow-answer.ts'
import { openFlowFolder, wantedFiles } from '../../flow-folder.ts'
import { type ComparedFile, compareFile, comparedJson, problemLines } from '../../flow-texts.ts'
import { lineDiff } from '../../line-diff.ts'
import { flag } from '../../options.ts'
import { type Paint, paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const diffCommand = serverCommand({
  summary: 'Shows how the flows of a folder differ from those of the server',
  args: ['<folder>', '[flow]…'],
  about:
    'Lines with - are on the server, lines with + in the folder. Comments and the way of writing make no difference. Flows of the\n' +
    'server without a file are only named. The exit code is 1 with --check where a flow differs, and where a file is not valid.',
  options: {
    check: flag('prints only the names of what differs; the exit code is 1 where something does'),
    json: flag('prints a row for each file as JSON'),
  },
  examples: ['flows', 'flows handbook', 'flows --check'],
  async run({ world, client, args, options: { check, json } }) {
    const [given, ...named] = args as [string, ...string[]]
    const folder = await openFlowFolder(world, given, named)
    const compared: ComparedFile[] = []
    for (const file of wantedFiles(folder, named, given)) compared.push(await compareFile(client, file))
    const drift = compared.filter(({ state }) => state !== 'same')
    if (json) world.stdout.write(`${JSON.stringify(compared.map(comparedJson))}\n`)
    else
      for (const one of drift)
        world.stdout.write(
          check
            ? `${one.state.padEnd(8)} ${printable(one.file)}\n`
            : diffText(one, paintFor(world.stdout, world.environment)),
        )
    for (const { file, read, state } of compared)
      if (state === 'invalid')
        for (const line of problemLines(file, read, 'error')) world.stderr.write(`${line}\n`)
    if (named.length === 0) {
      const held = new Set(folder.files.map(({ slug }) => slug))
      const others = (await fetchFlows(client)).map(({ slug }) => slug).filter((slug) => !held.has(slug))
      if (others.length > 0)
        world.stderr.write(`Only on the server: ${printable(others.toSorted().join(', '))}\n`)
    }
    const invalid = drift.some(({ state }) => state === 'invalid')
    return invalid || (check && drift.length > 0) ? 1 : 0
  },
})

const STYLES = { '-': 'red', '+': 'green', '@': 'cyan' } as const

function diffText({ flow, file, state, stored, read }: ComparedFile, paint: Paint): string {
  if (state === 'invalid') return `${printable(file)}: not valid\n`
  const head = [
    `--- server/${flow}${stored ? ` revision ${stored.revision}` : ' (not there)'}`,
    `+++ ${file}`,
  ]
  const lines = lineDiff(stored?.text ?? '', read.text ?? '').map((line) => {
    const style = STYLES[line[0] as keyof typeof STYLES]
    return style === undefined ? printable(line) : paint(style, printable(line))
  })
  return `${[...head.map((line) => paint('bold', printable(line))), ...lines].join('\n')}\n`
}
