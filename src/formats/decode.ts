import { isAscii, isUtf8 } from 'node:buffer'
import {
  type CharacterEncoding,
  guessEncoding,
  HEAD_BYTES,
  certainEncoding,
  wholeCharacters,
} from './encoding.ts'
import type { UndecodedCharacters } from './undecoded.ts'

/**
 * Decodes the bytes of one whole text; {@link decodeStream} says how the encoding is found.
 *
 * @param declared the encoding that the text declares, used if its bytes do not prove one
 */
export async function decodeText(
  bytes: Uint8Array,
  declared?: CharacterEncoding,
  lost?: UndecodedCharacters,
): Promise<string> {
  let text = ''
  for await (const piece of decodeStream([bytes], declared, lost)) text += piece
  return text
}

/**
 * Decodes the bytes of one text in pieces. The first piece decides the encoding: what its bytes prove, else
 * `declared`, else what the statistics of its characters suggest. If it was pure ASCII, the decision is made again at
 * the first other byte. Bytes that are invalid in that encoding become U+FFFD. A byte order mark is removed;
 * everything else is kept.
 *
 * @param lost counts the U+FFFD of invalid bytes
 */
export async function* decodeStream(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  declared?: CharacterEncoding,
  lost?: UndecodedCharacters,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  for await (const piece of pieces) {
    decoder ??= await firstDecoder(piece.subarray(0, HEAD_BYTES), declared, lost)
    let text = decoder.write(piece)
    if (typeof text !== 'string') {
      const undecoded = text
      decoder = await decoderOf(declared ?? (await guessEncoding(aroundFirstHighByte(undecoded))), lost)
      text = decoder.write(undecoded) as string
    }
    if (text !== '') yield text
  }
  const rest = decoder?.end()
  if (rest) yield rest
}

type Decoder = {
  /** The characters of a piece; or undecoded bytes, if they show that this is the wrong decoder. */
  write(piece: Uint8Array): string | Uint8Array
  end(): string
}

async function firstDecoder(
  head: Uint8Array,
  declared?: CharacterEncoding,
  lost?: UndecodedCharacters,
): Promise<Decoder> {
  const proven = isWrittenInAscii(declared) ? declared : (certainEncoding(head) ?? declared)
  return proven === 'utf-8'
    ? utf8Decoder(isAscii(wholeCharacters(head)), lost)
    : decoderOf(proven ?? (await guessEncoding(head)), lost)
}

/** Encodings that write any character in ASCII, without the escapes that ISO 2022 has: no byte proves them. */
const isWrittenInAscii = (encoding: CharacterEncoding | undefined): boolean =>
  encoding === 'utf-7' || encoding === 'hz-gb-2312'

async function decoderOf(encoding: CharacterEncoding, lost?: UndecodedCharacters): Promise<Decoder> {
  if (encoding === 'utf-8' || encoding === 'ascii') return utf8Decoder(false, lost)
  const counted = (text: string): string => {
    lost?.note(text)
    return text
  }
  try {
    const decoder = new TextDecoder(encoding)
    return {
      write: (piece) => counted(decoder.decode(piece, { stream: true })),
      end: () => counted(decoder.decode()),
    }
  } catch {
    const { default: iconv } = await import('iconv-lite')
    const decoder = iconv.getDecoder(iconv.encodingExists(encoding) ? encoding : 'windows-1252')
    return {
      write: (piece) => counted(decoder.write(Buffer.from(piece))),
      end: () => counted(decoder.end() ?? ''),
    }
  }
}

/**
 * Decodes UTF-8, several times as fast as a streaming TextDecoder: pieces are cut at the end of a character and then
 * converted whole. `ascii`: all bytes so far were ASCII, which proves nothing, so the first other byte may still show
 * that the text is not UTF-8.
 */
function utf8Decoder(ascii: boolean, lost?: UndecodedCharacters): Decoder {
  let allAscii = ascii
  let atStart = true
  let rest = Buffer.alloc(0)
  return {
    write(piece) {
      const bytes = rest.length === 0 ? asBuffer(piece) : Buffer.concat([rest, piece])
      const whole = wholeCharacters(bytes)
      if (allAscii && !isAscii(whole)) {
        if (!isUtf8(whole)) return bytes
        allAscii = false
      }
      // a copy, because the caller may reuse its buffer
      rest = Buffer.from(bytes.subarray(whole.length))
      const text = whole.toString(allAscii ? 'latin1' : 'utf8')
      // A text may have U+FFFD itself: only invalid bytes were lost here.
      if (lost && !allAscii && !isUtf8(whole)) lost.note(text)
      const marked = atStart && text.startsWith('\ufeff')
      atStart = false
      return marked ? text.slice(1) : text
    },
    end() {
      const text = rest.toString('utf8')
      lost?.note(text)
      return text
    },
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

function aroundFirstHighByte(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  return bytes.subarray(Math.max(0, first - HEAD_BYTES / 4), first + HEAD_BYTES / 2)
}
