import libmime from 'libmime'
import { SluiceError } from '../../kit/errors.ts'
import { decodeText } from '../decode.ts'
import type { CharacterEncoding } from '../encoding.ts'
import { readRtf } from '../old-office/rtf.ts'
import { readHtml } from '../web/html.ts'
import type { FileLimits } from '../limits.ts'
import type { MailPart } from './mail-parts.ts'
import type { ReaderItem, ReaderOutput } from '../reader.ts'

/** Labels that programs write where they do not know the encoding. */
const NO_CHARSET = /^(?:x-)?(?:us-)?(?:ascii|unknown(?:-8bit)?|8bit|7bit|default|binary|none)$/

/** The text of a mail, and what there is to say about it. */
export type MailBody = { text: string; told: ReaderItem[] }

/** Joins the texts of a mail in their order. Of a text in several forms the plain one is taken, else the HTML. */
export async function mailBody(parts: readonly MailPart[], limits: FileLimits): Promise<MailBody> {
  const texts: string[] = []
  const told: ReaderItem[] = []
  for (const part of withoutCopies(parts)) {
    const isHtml = part.mediaType === 'text/html'
    const text = isHtml ? await mailHtml(part.bytes, charsetOf(part), limits, told) : await plainText(part)
    if (text !== '') texts.push(text)
    if (part.cut > 0) {
      told.push({ note: `the last ${part.cut} bytes of its text were left out` })
      told.push({ dropped: { kind: 'cutText', count: part.cut } })
    }
  }
  return { text: texts.join('\n\n'), told }
}

function withoutCopies(parts: readonly MailPart[]): readonly MailPart[] {
  const plain = new Set(
    parts.filter((part) => part.alternative && part.mediaType === 'text/plain' && !isBlank(part.bytes)),
  )
  const saidPlainly = new Set([...plain].map(({ alternative }) => alternative))
  return parts.filter((part) => !part.alternative || !saidPlainly.has(part.alternative) || plain.has(part))
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20)

const charsetOf = ({ charset }: MailPart): CharacterEncoding | undefined => {
  const label = charset?.trim().toLowerCase()
  return label === undefined || NO_CHARSET.test(label) ? undefined : label
}

async function plainText(part: MailPart): Promise<string> {
  const text = await decodeText(part.bytes, charsetOf(part))
  const unwrapped =
    part.flowed === 'no' ? text : new libmime.Libmime().decodeFlowed(text, part.flowed === 'deleteSpace')
  return unwrapped.replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd()
}

/** The HTML of a mail as markdown. @param told gets what is to be said about it */
export const mailHtml = (
  bytes: Uint8Array,
  encoding: CharacterEncoding | undefined,
  limits: FileLimits,
  told: ReaderItem[],
): Promise<string> => {
  const page = { bytes, name: 'the HTML of the mail' }
  return textOf(readHtml(page, encoding === undefined ? {} : { encoding }, limits), bytes.length, told)
}

/** The rich text of a mail as markdown. @param told gets what is to be said about it */
export const mailRtf = (bytes: Uint8Array, limits: FileLimits, told: ReaderItem[]): Promise<string> =>
  textOf(readRtf({ bytes, name: 'the rich text of the mail' }, {}, limits), bytes.length, told)

/** All text of a reader; a text that it refuses is told, and the rest of the mail is read. */
async function textOf(items: ReaderOutput, size: number, told: ReaderItem[]): Promise<string> {
  let text = ''
  try {
    for await (const item of items)
      if ('pageContent' in item) text += item.pageContent
      else told.push(item)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    told.push({ note: error.message }, { dropped: { kind: 'cutText', count: size } })
  }
  return text
}
