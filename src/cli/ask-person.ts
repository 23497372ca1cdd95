import { StringDecoder } from 'node:string_decoder'
import { Failure } from './failure.ts'
import type { World } from './world.ts'

/** Questions on the terminal. They go to standard error: standard output is for results. */

const INTERRUPT = '\u0003'
const END = '\u0004'
const ERASE = new Set(['\u007f', '\b'])

/** Whether standard input is a terminal, where a person can answer. */
export const canAsk = ({ stdin }: World): boolean => stdin.isTTY === true

/** Asks a yes/no question. Without a terminal it does not ask, and returns true. */
export async function confirm(world: World, question: string): Promise<boolean> {
  if (!canAsk(world)) return true
  const answer = await askLine(world, `${question} [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

/**
 * Reads one line from the terminal.
 *
 * @param secret the line is not shown while it is typed
 * @throws Failure at Ctrl-C, and where the input ends before the line does
 */
export async function askLine(world: World, question: string, { secret = false } = {}): Promise<string> {
  const { stdin, stderr } = world
  stderr.write(question)
  // Without raw mode the terminal shows the line and lets the person edit it.
  if (secret) stdin.setRawMode?.(true)
  try {
    return await readLine(world)
  } finally {
    if (secret) {
      stdin.setRawMode?.(false)
      stderr.write('\n')
    }
    stdin.pause()
  }
}

function readLine({ stdin }: World): Promise<string> {
  const decoder = new StringDecoder('utf8')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let line: string[] = []
  const onData = (bytes: Buffer | string) => {
    const letters = [...(typeof bytes === 'string' ? bytes : decoder.write(bytes))]
    for (const [at, letter] of letters.entries()) {
      if (letter === '\r' || letter === '\n') {
        const rest = letters.slice(at + 1).join('')
        stop()
        // Text that was pasted after the line belongs to the next question.
        if (rest !== '') stdin.unshift(Buffer.from(rest))
        return resolve(line.join(''))
      }
      if (letter === INTERRUPT) return fail('Interrupted')
      if (letter === END) return fail('The input ended before an answer')
      if (ERASE.has(letter)) line = line.slice(0, -1)
      else line.push(letter)
    }
  }
  const onEnd = () => fail('The input ended before an answer')
  const stop = () => {
    stdin.off('data', onData)
    stdin.off('end', onEnd)
    stdin.pause()
  }
  const fail = (message: string) => {
    stop()
    reject(new Failure(message))
  }
  stdin.on('data', onData)
  stdin.on('end', onEnd)
  stdin.resume()
  return promise
}
