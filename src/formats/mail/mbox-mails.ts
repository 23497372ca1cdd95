import { MAIL_BEGINS } from './mail-head.ts'

/** Longer lines neither begin a mail nor have a mark to remove: their beginning is enough to know. */
const LINE_BEGIN = 512

/**
 * Cuts a mailbox into its mails while it is read; each must be consumed, or left, before the next is asked for. The
 * mark `>` before `From ` in a line is removed. What stands before the first mail is left out.
 */
export async function* mailsIn(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const events = eventsIn(pieces)
  let next = await events.next()
  while (!next.done && next.value !== BEGINS) next = await events.next()
  while (!next.done) {
    let isOver = false
    const advance = async () => {
      next = await events.next()
      isOver = next.done === true || next.value === BEGINS
    }
    const mail = (async function* () {
      for (await advance(); !isOver; await advance()) yield next.value as Uint8Array
    })()
    yield mail
    while (!isOver) await advance()
  }
}

const BEGINS = Symbol('a mail begins')

/** Yields {@link BEGINS} where a mail begins, and the bytes of mails. */
async function* eventsIn(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | typeof BEGINS> {
  let rest: Buffer = Buffer.alloc(0)
  let isAtLine = true
  for await (const piece of pieces) {
    const bytes: Buffer = rest.length === 0 ? asBuffer(piece) : Buffer.concat([rest, piece])
    // a line that may be special is judged when it is complete, or long enough
    const last: number = bytes.lastIndexOf(LINE_FEED) + 1
    const isKept: boolean = bytes.length - last < LINE_BEGIN && (last > 0 || isAtLine)
    const end: number = isKept ? last : bytes.length
    yield* lines(bytes.subarray(0, end), isAtLine)
    if (end > 0) isAtLine = bytes[end - 1] === LINE_FEED
    // a copy, because the source may reuse its buffer
    rest = Buffer.from(bytes.subarray(end))
  }
  yield* lines(rest, isAtLine)
}

function* lines(bytes: Buffer, isAtLine: boolean): Generator<Uint8Array | typeof BEGINS> {
  let from = 0
  for (let at = bytes.indexOf('From '); at >= 0; at = bytes.indexOf('From ', at + 5)) {
    const marks = marksBefore(bytes, at)
    const start = at - marks
    if (start === 0 ? !isAtLine : bytes[start - 1] !== LINE_FEED) continue
    if (marks > 0) {
      yield bytes.subarray(from, start)
      from = start + 1
      continue
    }
    const lineEnd = bytes.indexOf(LINE_FEED, at)
    const next = lineEnd < 0 ? bytes.length : lineEnd + 1
    if (!MAIL_BEGINS.test(bytes.toString('latin1', at, Math.min(next, at + LINE_BEGIN)))) continue
    if (start > from) yield bytes.subarray(from, start)
    yield BEGINS
    from = next
  }
  if (from < bytes.length) yield bytes.subarray(from)
}

/** How many `>` stand before a place. */
function marksBefore(bytes: Buffer, at: number): number {
  let marks = 0
  while (at - marks > 0 && bytes[at - marks - 1] === MARK) marks++
  return marks
}

const LINE_FEED = 10
const MARK = 62

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
