import type { JsonObject } from '../../kit/json.ts'

const ASCII = /^[\x20-\x7e]*$/

/**
 * A mail as Gmail's API takes it: RFC 822, in base64url. Its body is HTML where it has tags, else plain text.
 *
 * @throws Error without an address, and for a line break in a header
 */
export function rawMail({ to, subject = '', body = '', cc = '', bcc = '' }: JsonObject): string {
  if (typeof to !== 'string' || to.trim() === '') throw new Error('to is missing')
  const headers = [
    ['To', to],
    ['Cc', cc],
    ['Bcc', bcc],
    ['Subject', encodedWords(String(subject))],
  ] as const
  const lines = headers.flatMap(([name, value]) => {
    const text = String(value).trim()
    if (/[\r\n]/.test(text)) throw new Error(`${name.toLowerCase()} has a line break`)
    return text === '' ? [] : [`${name}: ${text}`]
  })
  const text = String(body)
  const isHtml = /<[a-z][^<>]*>/i.test(text)
  const content = Buffer.from(text, 'utf8').toString('base64')
  const mail = [
    ...lines,
    'MIME-Version: 1.0',
    `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(content.match(/.{1,76}/g) ?? []),
  ].join('\r\n')
  return Buffer.from(mail, 'utf8').toString('base64url')
}

/** A subject with other letters than those of ASCII, in words of RFC 2047. */
function encodedWords(subject: string): string {
  if (ASCII.test(subject)) return subject
  if (/[\r\n]/.test(subject)) throw new Error('subject has a line break')
  const words: string[] = []
  let word = ''
  for (const letter of subject) {
    if (Buffer.byteLength(word + letter) > 42) {
      words.push(word)
      word = ''
    }
    word += letter
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ')
}
